// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/run/retry.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/models/queue_delegate.h"
#include "ui/models/queue_model.h"
#include "ui/models/queue_time.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/run_header.h"
#include "ui/pages/run_remarks.h"
#include "ui/session/session.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/full_chart.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int queueWidth = 304;
constexpr int pollMilliseconds = 150;  // at most ten redraws a second

}  // namespace

RunsPage::RunsPage(Session& session, QWidget* parent)
    : Page(tr("Runs"), {920, 520}, parent),
      session_(session),
      model_(new QueueModel(session.vocabulary(), this)) {
    actions_ = new RunActions(session_, this);
    buildHeader();
    buildStack();
    connect(actions_, &RunActions::done, this, &RunsPage::sayDone);
    connect(actions_, &RunActions::noteRequested, this, [this] { header_->remarks().editNote(); });
    connect(actions_, &RunActions::reasonRequested, this, [this] {
        showSelected();
        header_->remarks().editReason();
    });
    model_->setRemarks([this](const run::RunStatus& run) {
        const store::RunNote note = session_.note(run.id);
        return QueueModel::Remark{note.excluded, session_.isLeftOut(run), QString::fromStdString(note.reason),
                                  QString::fromStdString(note.note)};
    });
    timer_.setInterval(pollMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &RunsPage::poll);
    timer_.start();
    connect(&session_, &Session::statusChanged, this, &RunsPage::takeStatus);
    connect(&session_, &Session::notesChanged, this, [this] {
        model_->remarksChanged();
        showSelected();
    });
    takeStatus();
}

void RunsPage::buildHeader() {
    left_ = makeLabel({}, "secondary");
    addAction(left_);
    progress_ = new QProgressBar;
    progress_->setTextVisible(false);
    progress_->setFixedWidth(160);
    addAction(progress_);
    retry_ = makeButton({}, QStringLiteral("refresh"));
    retry_->setToolTip(
        tr("A new campaign of the runs without a figure; not of those that ran out of memory"));
    connect(retry_, &QPushButton::clicked, this, [this] {
        if (!session_.campaigns().empty()) {
            actions_->retry(session_.campaigns().back());
        }
    });
    addAction(retry_);
    pause_ = makeButton({});
    connect(pause_, &QPushButton::clicked, this, &RunsPage::togglePause);
    addAction(pause_);
    cancelAll_ = makeButton(tr("Cancel all"), QStringLiteral("stop"), "destructive");
    connect(cancelAll_, &QPushButton::clicked, this, &RunsPage::cancelAll);
    addAction(cancelAll_);
}

void RunsPage::buildStack() {
    QVBoxLayout* column = roomyBody();
    stack_ = new QStackedWidget;
    stack_->addWidget(buildEmpty());
    auto* content = new QWidget;
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(buildQueue());
    row->addWidget(buildRun(), 1);
    stack_->addWidget(content);
    column->addWidget(stack_, 1);
}

QWidget* RunsPage::buildEmpty() {
    auto* host = new QWidget;
    auto* column = new QVBoxLayout(host);
    column->addStretch(1);
    column->addWidget(makeLabel(tr("Nothing has run in this workspace yet"), "heading"), 0, Qt::AlignHCenter);
    column->addWidget(
        makeLabel(tr("Launch has a plan ready: a real ResNet50 on this machine, in a few minutes."), "lead"),
        0, Qt::AlignHCenter);
    column->addSpacing(12);
    QPushButton* launch = makeButton(tr("Go to Launch"), QStringLiteral("launch"), "primary");
    connect(launch, &QPushButton::clicked, this, &RunsPage::launchRequested);
    column->addWidget(launch, 0, Qt::AlignHCenter);
    column->addStretch(2);
    return host;
}

void RunsPage::buildFilter(QHBoxLayout* row) {
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("Filter runs"));
    filter_->setClearButtonEnabled(true);
    filter_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        showSelected();
    });
    row->addWidget(filter_, 1);
    auto* states = new QComboBox;
    states->setAccessibleName(tr("States"));
    using Show = QueueModel::Show;
    const std::pair<QString, Show> choices[] = {
        {tr("All states"), Show::All},          {tr("Active"), Show::Active},
        {tr("Queued"), Show::Queued},           {tr("Finished"), Show::Finished},
        {tr("No figure"), Show::WithoutFigure}, {tr("Excluded"), Show::Excluded}};
    for (const auto& [text, show] : choices) {
        states->addItem(text, static_cast<int>(show));
    }
    connect(states, &QComboBox::currentIndexChanged, this, [this, states] {
        model_->setShown(static_cast<Show>(states->currentData().toInt()));
        showSelected();
    });
    row->addWidget(states);
}

QWidget* RunsPage::buildQueue() {
    auto* panel = new Panel;
    setScaledWidth(panel, queueWidth);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    buildFilter(row);
    panel->body()->addLayout(row);
    queue_ = new QListView;
    queue_->setModel(model_);
    queue_->setItemDelegate(new QueueDelegate(queue_));
    queue_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    queue_->setAccessibleName(tr("Runs"));
    queue_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(queue_, &QListView::customContextMenuRequested, this, &RunsPage::showMenu);
    connect(queue_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (const run::RunStatus* run = model_->run(index);
                    run != nullptr && run->id != selectedId_) {
                    selectedByUser_ = true;
                    selectedId_ = run->id;
                    followSelection();
                }
            });
    panel->body()->addWidget(queue_, 1);
    buildQueueKeys();
    return panel;
}

void RunsPage::buildQueueKeys() {
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this,
            [this] { log_->focusSearch(); });
    auto* remove = new QShortcut(QKeySequence(Qt::Key_Delete), queue_);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, [this] {
        if (const run::RunStatus* run = selected()) {
            actions_->remove(run::RunStatus(*run));
        }
    });
    auto* undo = new QShortcut(QKeySequence::Undo, this);
    undo->setContext(Qt::WidgetWithChildrenShortcut);
    connect(undo, &QShortcut::activated, this, &RunsPage::takeBack);
}

// At the run, whether the mouse or a key asked for it.
void RunsPage::showMenu(const QPoint& where) {
    const run::RunStatus* run = selected();
    if (run == nullptr) {
        return;
    }
    const QRect row = queue_->visualRect(queue_->currentIndex());
    const QPoint at = row.contains(where) ? where : row.center();
    actions_->makeMenu(*run, this)->popup(queue_->viewport()->mapToGlobal(at));
}

QWidget* RunsPage::buildHeadOfRun() {
    header_ = new RunHeader(session_.vocabulary());
    const auto act = [this](const auto& action) {
        if (const run::RunStatus* run = selected()) {
            action(run::RunStatus(*run));
        }
    };
    connect(header_, &RunHeader::folderRequested, this, [act] { act(&RunActions::openFolder); });
    connect(header_, &RunHeader::cancelRequested, this,
            [this, act] { act([this](const run::RunStatus& run) { actions_->cancel(run); }); });
    connect(header_, &RunHeader::excludeRequested, this, [this, act](bool exclude) {
        act([this, exclude](const run::RunStatus& run) { actions_->setExcluded(run, exclude); });
    });
    connect(&header_->remarks(), &RunRemarks::edited, &session_, &Session::setNote);
    return header_;
}

QWidget* RunsPage::buildChart() {
    chartPanel_ = new Panel;
    QHBoxLayout* head = chartPanel_->addHeader(tr("Throughput per node"));
    legend_ = new LegendBar;
    head->addWidget(legend_, 0, Qt::AlignVCenter);
    chart_ = new ChartView;
    addFullScreenButton(*head, *chart_);
    chartPanel_->body()->addWidget(chart_, 1);
    connect(legend_, &LegendBar::seriesHovered, chart_, &ChartView::highlight);
    connect(legend_, &LegendBar::hiddenChanged, this, [this] {
        if (live_) {
            takeUpdate(*live_);
        }
    });
    return chartPanel_;
}

QWidget* RunsPage::buildRun() {
    auto* host = new QWidget;
    auto* column = new QVBoxLayout(host);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(buildHeadOfRun());
    banner_ = new Banner;
    connect(banner_, &Banner::actionTriggered, this, &RunsPage::bannerAction);
    column->addWidget(banner_);
    said_ = new Banner;
    said_->setObjectName(QStringLiteral("said"));
    connect(said_, &Banner::actionTriggered, this, &RunsPage::takeBack);
    connect(said_, &Banner::closed, this, [this] { undo_ = nullptr; });
    column->addWidget(said_);
    log_ = new LogPanel(session_.background());
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setHandleWidth(10);
    rows->setChildrenCollapsible(false);
    rows->addWidget(buildChart());
    rows->addWidget(log_);
    rows->setSizes({290, 330});
    column->addWidget(rows, 1);
    return host;
}

void RunsPage::sayDone(const QString& what, const QString& why, const std::function<void()>& undo) {
    undo_ = undo;
    said_->showMessage("info", what, why, {}, undo ? tr("Undo") : QString());
}

void RunsPage::takeBack() {
    said_->hide();
    if (const auto undo = std::exchange(undo_, nullptr)) {
        undo();
    }
}

const run::RunStatus* RunsPage::selected() const {
    for (const run::CampaignStatus& campaign : session_.campaigns()) {
        for (const run::RunStatus& run : campaign.runs) {
            if (run.id == selectedId_) {
                return &run;
            }
        }
    }
    return nullptr;
}

void RunsPage::takeStatus() {
    const auto& campaigns = session_.campaigns();
    stack_->setCurrentIndex(campaigns.empty() ? 0 : 1);
    const run::CampaignStatus* open = session_.openCampaign();
    showActions(open);
    if (campaigns.empty()) {
        setSubtitle(tr("none yet"));
        return;
    }
    model_->setCampaigns(campaigns);
    showOpen(open != nullptr ? *open : campaigns.back());
    chooseByItself();
    showSelected();
}

void RunsPage::showOpen(const run::CampaignStatus& shown) {
    const auto all = static_cast<int>(shown.runs.size());
    const auto finished =
        static_cast<int>(std::ranges::count(shown.runs, run::RunState::Finished, &run::RunStatus::state));
    const QString plan = QString::fromStdString(shown.plan);
    const QString state = shown.paused ? tr("Plan %1, run %2 of %3, paused") : tr("Plan %1, run %2 of %3");
    setSubtitle(shown.runnerAlive ? state.arg(plan).arg(std::min(finished + 1, all)).arg(all)
                                  : tr("Plan %1, %2 of %3 finished").arg(plan).arg(finished).arg(all));
    progress_->setRange(0, all);
    progress_->setValue(finished);
}

// What can be asked of the runner now, and, when none is at work, what may be run again.
void RunsPage::showActions(const run::CampaignStatus* open) {
    const bool running = open != nullptr && open->runnerAlive;
    cancelAll_->setVisible(running);
    progress_->setVisible(running);
    pause_->setVisible(running);
    const auto left = running ? timeLeft(*open, now()) : std::nullopt;
    left_->setVisible(left.has_value());
    left_->setText(left ? tr("about %1 left").arg(durationText(*left)) : QString());
    if (!running || pauseAsked_ == open->paused) {
        pauseAsked_.reset();
    }
    const bool paused = running && open->paused;
    pause_->setText(paused ? tr("Go on") : tr("Pause queue"));
    pause_->setIcon(icon(paused ? QStringLiteral("launch") : QStringLiteral("pause"), Ink::Text));
    pause_->setToolTip(paused ? tr("Lets the next run begin")
                              : tr("The run at work goes on to its end; no further one begins"));
    pause_->setEnabled(!pauseAsked_);
    const auto& campaigns = session_.campaigns();
    const std::size_t again = campaigns.empty() ? 0 : run::retryable(campaigns.back()).size();
    retry_->setVisible(again > 0 && open == nullptr);
    retry_->setEnabled(actions_->mayStart());
    retry_->setText(tr("Retry failed (%1)").arg(again));
}

void RunsPage::togglePause() {
    const run::CampaignStatus* open = session_.openCampaign();
    if (open == nullptr || !open->runnerAlive || pauseAsked_) {
        return;
    }
    pauseAsked_ = !open->paused;
    session_.request(*pauseAsked_ ? run::Request::Pause : run::Request::Continue);
}

// Follows the active run from one to the next until the user looks at another one.
void RunsPage::chooseByItself() {
    const run::RunStatus* active = session_.activeRun();
    const run::RunStatus* shown = selected();
    if (shown == nullptr) {
        selectedByUser_ = false;
    }
    if (selectedByUser_ && (shown->state != run::RunState::Finished || active == nullptr)) {
        if (active != nullptr && active->id == selectedId_) {
            selectedByUser_ = false;
        }
        return;
    }
    if (selectedByUser_) {
        return;
    }
    std::string next = active != nullptr ? active->id : selectedId_;
    if (next.empty() || (shown == nullptr && active == nullptr)) {
        for (int i = 0; i < model_->rowCount() && (next.empty() || shown == nullptr); ++i) {
            if (const run::RunStatus* run = model_->run(model_->index(i))) {
                next = run->id;
                break;
            }
        }
    }
    if (next != selectedId_) {
        selectedId_ = next;
        followSelection();
    }
}

void RunsPage::select(const std::string& runId) {
    selectedId_ = runId;
    selectedByUser_ = true;
    followSelection();
}

void RunsPage::followSelection() {
    live_.reset();
    following_.reset();
    settled_ = false;
    chart_->setSpec({});
    legend_->setSeries({});
    showSelected();
    poll();
}

void RunsPage::showSelected() {
    const run::RunStatus* run = selected();
    showBanner(run);
    if (run == nullptr) {
        return;
    }
    if (const QModelIndex index = model_->indexOf(selectedId_); index.isValid()) {
        queue_->setCurrentIndex(index);
    }
    header_->showRun(*run, live_ ? &*live_ : nullptr);
    header_->showNote(run->id, session_.note(run->id));
    QStringList nodes;
    std::vector<std::filesystem::path> files;
    for (std::size_t rank = 0; rank < run->nodes.size() && !run->folder.empty(); ++rank) {
        nodes << QString::fromStdString(run->nodes[rank]);
        files.push_back(run->folder / ("node" + std::to_string(rank) + ".log"));
    }
    log_->setLogs(nodes, files,
                  {analysis::findFormat(run->format),
                   {run->benchmarkCase.topology, run->benchmarkCase.subject.batchSize},
                   run->window});
}

void RunsPage::showBanner(const run::RunStatus* run) {
    const run::CampaignStatus* open = session_.openCampaign();
    banner_->setClosable(false);
    if (open != nullptr && !open->runnerAlive) {
        offer_ = Offer::Resume;
        banner_->showMessage(
            "warn", tr("Nothing works on \"%1\" any more.").arg(QString::fromStdString(open->plan)),
            tr("Its runner ended before the plan did. Finished runs are kept; going on takes up "
               "what is left."),
            {}, tr("Go on"));
        return;
    }
    if (open != nullptr && open->paused && session_.activeRun() == nullptr) {
        offer_ = Offer::Continue;
        banner_->showMessage("info", tr("Paused."), tr("The next run waits until you go on."), {},
                             tr("Go on"));
        return;
    }
    const bool bad = run != nullptr && run->state == run::RunState::Finished && run->outcome != Outcome::Ok;
    if (!bad || run->reason.empty()) {
        offer_ = Offer::Nothing;
        banner_->hide();
        return;
    }
    offer_ = actions_->mayStart() ? Offer::RunAgain : Offer::Nothing;
    const bool failed = run->outcome == Outcome::Failed || run->outcome == Outcome::Oom;
    banner_->showMessage(failed ? "fail" : "info", tr("This run has no figure: %1.").arg(outcomeText(*run)),
                         QString::fromStdString(run->reason), {},
                         offer_ == Offer::RunAgain ? tr("Run again") : QString());
}

void RunsPage::bannerAction() {
    const run::RunStatus* run = selected();
    if (offer_ == Offer::Resume) {
        session_.resume();
    } else if (offer_ == Offer::Continue) {
        togglePause();
    } else if (offer_ == Offer::RunAgain && run != nullptr) {
        actions_->runAgain(run::RunStatus(*run));
    }
}

// Reads what is new on the background thread; where there was something, the answer comes by takeUpdate().
// While another page is shown nothing is read: it is there when this one is.
void RunsPage::poll() {
    const run::RunStatus* run = selected();
    if (pollPending_ || !isVisible() || run == nullptr || run->folder.empty() || settled_) {
        return;
    }
    if (!following_ || following_->id() != run->id || following_->folder() != run->folder) {
        following_ = std::make_shared<LiveRun>(*run);
    }
    log_->refresh();
    pollPending_ = true;
    const bool ended = run->state == run::RunState::Finished;
    session_.background().ask(
        this,
        [live = following_, first = !live_] {
            const bool news = live->read();
            return std::pair(news, news || first ? std::optional(live->update()) : std::nullopt);
        },
        [this, live = following_, ended](const std::pair<bool, std::optional<LiveUpdate>>& answer) {
            const auto& [news, update] = answer;
            pollPending_ = false;
            if (live != following_) {
                return;
            }
            settled_ = ended && !news;
            if (update) {
                takeUpdate(*update);
            }
        },
        [this] { pollPending_ = false; });
}

void RunsPage::takeUpdate(LiveUpdate update) {
    const bool first = !live_ || live_->chart.series.size() != update.chart.series.size();
    live_ = std::move(update);
    if (first) {
        legend_->setSeries(live_->chart.series);
    }
    report::ChartSpec shown = live_->chart;
    const auto hidden = legend_->hidden();
    std::erase_if(shown.series, [&](const report::Series& series) { return hidden.contains(series.key); });
    chartPanel_->setTitle(QString::fromStdString(shown.title), QString::fromStdString(shown.unit));
    chart_->setSpec(shown);
    if (const run::RunStatus* run = selected()) {
        const double share = run->window.train > 0
                                 ? std::min(1.0, static_cast<double>(live_->iteration) / run->window.train)
                                 : 0.0;
        model_->setProgress(run->id, share, tr("%1 of %2").arg(live_->iteration).arg(run->window.train));
        header_->showRun(*run, &*live_);
    }
    emit liveChanged();
}

void RunsPage::cancelAll() {
    if (const run::CampaignStatus* open = session_.openCampaign(); open != nullptr && open->runnerAlive) {
        session_.request(run::Request::Cancel);
    }
}

void RunsPage::enter() {
    poll();
    QWidget* first = queue_;
    if (stack_->currentIndex() == 0) {  // an empty page offers its next step
        first = stack_->currentWidget()->findChild<QPushButton*>();
    }
    first->setFocus(Qt::OtherFocusReason);
}

}  // namespace dlperf::ui
