// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QAction>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/models/queue_delegate.h"
#include "ui/models/queue_model.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/run_header.h"
#include "ui/session/session.h"
#include "ui/theme/icons.h"
#include "ui/widgets/banner.h"
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
    progress_ = new QProgressBar;
    progress_->setTextVisible(false);
    progress_->setFixedWidth(160);
    addAction(progress_);
    cancelAll_ = makeButton(tr("Cancel all"), QStringLiteral("stop"), "destructive");
    connect(cancelAll_, &QPushButton::clicked, this, &RunsPage::cancelAll);
    addAction(cancelAll_);
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
    timer_.setInterval(pollMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &RunsPage::poll);
    timer_.start();
    connect(&session_, &Session::statusChanged, this, &RunsPage::takeStatus);
    takeStatus();
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

QWidget* RunsPage::buildQueue() {
    auto* panel = new Panel;
    panel->setFixedWidth(queueWidth);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 8, 8, 8);
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("Filter runs"));
    filter_->setClearButtonEnabled(true);
    filter_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        showSelected();
    });
    row->addWidget(filter_);
    panel->body()->addLayout(row);
    queue_ = new QListView;
    queue_->setModel(model_);
    queue_->setItemDelegate(new QueueDelegate(queue_));
    queue_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    queue_->setAccessibleName(tr("Runs"));
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
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this,
            [this] { log_->focusSearch(); });
    return panel;
}

QWidget* RunsPage::buildRun() {
    auto* host = new QWidget;
    auto* column = new QVBoxLayout(host);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    header_ = new RunHeader(session_.vocabulary());
    connect(header_, &RunHeader::folderRequested, this, [this] {
        if (const run::RunStatus* run = selected()) {
            QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(run->folder.string())));
        }
    });
    connect(header_, &RunHeader::cancelRequested, this,
            [this] { session_.request(run::Request::CancelRun, selectedId_); });
    column->addWidget(header_);
    banner_ = new Banner;
    connect(banner_, &Banner::actionTriggered, &session_, &Session::resume);
    column->addWidget(banner_);
    chartPanel_ = new Panel;
    QHBoxLayout* head = chartPanel_->addHeader(tr("Throughput per node"));
    legend_ = new LegendBar;
    head->addWidget(legend_, 0, Qt::AlignVCenter);
    chart_ = new ChartView;
    chartPanel_->body()->addWidget(chart_, 1);
    connect(legend_, &LegendBar::seriesHovered, chart_, &ChartView::highlight);
    connect(legend_, &LegendBar::hiddenChanged, this, [this] {
        if (live_) {
            takeUpdate(*live_);
        }
    });
    log_ = new LogPanel(session_.background());
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setHandleWidth(10);
    rows->setChildrenCollapsible(false);
    rows->addWidget(chartPanel_);
    rows->addWidget(log_);
    rows->setSizes({290, 330});
    column->addWidget(rows, 1);
    return host;
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
    const bool running = open != nullptr && open->runnerAlive;
    cancelAll_->setVisible(running);
    progress_->setVisible(running);
    if (campaigns.empty()) {
        setSubtitle(tr("none yet"));
        return;
    }
    model_->setCampaigns(campaigns);
    const run::CampaignStatus& shown = open != nullptr ? *open : campaigns.back();
    const auto all = static_cast<int>(shown.runs.size());
    const auto finished =
        static_cast<int>(std::ranges::count(shown.runs, run::RunState::Finished, &run::RunStatus::state));
    const QString plan = QString::fromStdString(shown.plan);
    setSubtitle(running ? tr("Plan %1, run %2 of %3").arg(plan).arg(std::min(finished + 1, all)).arg(all)
                        : tr("Plan %1, %2 of %3 finished").arg(plan).arg(finished).arg(all));
    progress_->setRange(0, all);
    progress_->setValue(finished);
    chooseByItself();
    showSelected();
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
    QStringList nodes;
    std::vector<std::filesystem::path> files;
    for (std::size_t rank = 0; rank < run->nodes.size() && !run->folder.empty(); ++rank) {
        nodes << QString::fromStdString(run->nodes[rank]);
        files.push_back(run->folder / ("node" + std::to_string(rank) + ".log"));
    }
    log_->setLogs(nodes, files);
}

void RunsPage::showBanner(const run::RunStatus* run) {
    const run::CampaignStatus* open = session_.openCampaign();
    offersResume_ = open != nullptr && !open->runnerAlive;
    banner_->setClosable(false);
    if (offersResume_) {
        banner_->showMessage(
            "warn", tr("Nothing works on \"%1\" any more.").arg(QString::fromStdString(open->plan)),
            tr("Its runner ended before the plan did. Finished runs are kept; going on takes up "
               "what is left."),
            {}, tr("Go on"));
        return;
    }
    const bool bad = run != nullptr && run->state == run::RunState::Finished && run->outcome != Outcome::Ok;
    if (!bad || run->reason.empty()) {
        banner_->hide();
        return;
    }
    const bool failed = run->outcome == Outcome::Failed || run->outcome == Outcome::Oom;
    banner_->showMessage(failed ? "fail" : "info", tr("This run has no figure: %1.").arg(outcomeText(*run)),
                         QString::fromStdString(run->reason));
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
    queue_->setFocus(Qt::OtherFocusReason);
}

}  // namespace dlperf::ui
