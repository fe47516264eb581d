// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "core/report/report.h"
#include "core/run/retry.h"
#include "core/store/run_record.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/log/log_view.h"
#include "ui/models/queue_model.h"
#include "ui/pages/deletions.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/queue_panel.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/run_header.h"
#include "ui/pages/versions_dialog.h"
#include "ui/session/session.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr int pollMilliseconds = 150;  // at most ten redraws a second
constexpr int tickMilliseconds = 500;
constexpr int leastLog = 170;  // px at 100 %: below banners and charts it stays in sight

}  // namespace

// A chart that follows the selected run, with a legend of its own in the panel's head.
class LiveChartPanel : public Panel {
public:
    LiveChartPanel(const QString& title, QWidget* parent)
        : Panel(parent), head_(addHeader(title)), chart_(new ChartView) {
        legend_ = new LegendBar;
        legend_->follow(*chart_);
        head_->addWidget(legend_, 0, Qt::AlignVCenter);
        addFullScreenButton(*head_, *chart_);
        body()->addWidget(chart_, 1);
    }

    [[nodiscard]] ChartView& chart() { return *chart_; }

protected:
    [[nodiscard]] QHBoxLayout& head() { return *head_; }
    [[nodiscard]] LegendBar& legend() { return *legend_; }

private:
    QHBoxLayout* head_;
    LegendBar* legend_;
    ChartView* chart_;
};

// The load of the nodes, one quantity at a time: a strip that says how it is now, with the chart below it
// where somebody opens it. The strip is always there, so that nothing moves when the first load is known.
class TelemetryPanel final : public LiveChartPanel {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::TelemetryPanel)

public:
    explicit TelemetryPanel(QWidget* parent)
        : LiveChartPanel(tr("Node load"), parent),
          choice_(new Segments(tr("Node"))),
          now_(makeLabel({}, "secondary")),
          open_(makeIconButton(QStringLiteral("down"), tr("Show the load over time"))) {
        choice_->setAccessibleName(tr("What is shown of the nodes"));
        head().insertWidget(1, now_);
        head().insertWidget(head().count() - 1, choice_, 0, Qt::AlignVCenter);  // before the full screen
        head().addWidget(open_, 0, Qt::AlignVCenter);
        open_->setCheckable(true);
        connect(open_, &QToolButton::toggled, this, &TelemetryPanel::unfold);
        connect(choice_, &Segments::changed, this, [this](int chosen) {
            if (const auto at = static_cast<std::size_t>(std::max(0, chosen)); at < telemetry_.size()) {
                quantity_ = telemetry_[at].quantity;
            }
            showChosen();
        });
        unfold(false);
        showTelemetry({});
    }

    void takeOver(const TelemetryPanel& other) {
        quantity_ = other.quantity_;
        open_->setChecked(other.open_->isChecked());
    }

    void showTelemetry(const std::vector<LiveTelemetry>& telemetry) {
        const std::array<QString, report::quantityCount> words{
            tr("GPU use"),   tr("Power"), tr("Clock"),   tr("Temperature"),    tr("Memory"),
            tr("Throttled"), tr("CPU"),   tr("Network"), tr("Other processes")};
        const bool isSame =
            std::ranges::equal(telemetry, telemetry_, {}, &LiveTelemetry::quantity, &LiveTelemetry::quantity);
        telemetry_ = telemetry;
        if (!isSame) {
            QStringList texts;
            for (const LiveTelemetry& one : telemetry_) {
                texts << words.at(static_cast<std::size_t>(one.quantity));
            }
            const auto wanted = std::ranges::find(telemetry_, quantity_, &LiveTelemetry::quantity);
            choice_->setTexts(texts,
                              wanted == telemetry_.end() ? 0 : static_cast<int>(wanted - telemetry_.begin()));
        }
        choice_->setVisible(!telemetry_.empty());
        open_->setEnabled(!telemetry_.empty());
        showChosen();
    }

private:
    void unfold(bool open) {
        chart().setVisible(open);
        legend().setVisible(open);
        setMaximumHeight(open ? QWIDGETSIZE_MAX : minimumSizeHint().height());
        updateGeometry();
    }

    void showChosen() {
        const auto chosen = static_cast<std::size_t>(std::max(0, choice_->current()));
        const bool isKnown = chosen < telemetry_.size();
        setTitle(tr("Node load"), {});
        now_->setText(isKnown ? nowText(telemetry_[chosen].chart) : tr("not recorded"));
        chart().setSpec(isKnown ? telemetry_[chosen].chart : report::ChartSpec());
    }

    // "93 %", of several nodes "88 to 93 %".
    [[nodiscard]] static QString nowText(const report::ChartSpec& spec) {
        std::vector<double> last;
        for (const report::Series& series : spec.series) {
            if (series.samples && !series.samples->empty()) {
                last.push_back(series.samples->back().y);
            }
        }
        if (last.empty()) {
            return {};
        }
        const auto [low, high] = std::ranges::minmax(last);
        const QString unit = localized(spec.unit);
        const QString lowest = figureText(low, 0);
        const QString highest = figureText(high, 0);
        return lowest == highest ? tr("%1 %2").arg(highest, unit)
                                 : tr("%1 to %2 %3").arg(lowest, highest, unit);
    }

    std::vector<LiveTelemetry> telemetry_;
    std::optional<report::Quantity> quantity_{};  // that was chosen, of whatever run
    Segments* choice_;
    QLabel* now_;
    QToolButton* open_;
};

RunsPage::RunsPage(Session& session, QWidget* parent)
    : Page(tr("Runs"), {620, 520}, parent),
      session_(session),
      follower_(new RunFollower(session.background(), session.rules(), this)) {
    ranges_ = new MeasurementRangeActions(session_, this);
    actions_ = new RunActions(session_, *ranges_, this);
    bar_ = new CampaignBar(session_, *actions_);
    connect(bar_, &CampaignBar::comparisonRequested, this, &RunsPage::comparisonRequested);
    addAction(bar_);
    deletions_ = new Deletions(session_, this);
    buildStack();
    connectDeletions();
    connect(follower_, &RunFollower::updated, this, &RunsPage::takeUpdate);
    connect(actions_, &RunActions::done, said_, &UndoBanner::say);
    connect(actions_, &RunActions::pending, said_, &UndoBanner::sayFor);
    connect(actions_, &RunActions::begun, said_, &UndoBanner::sayUntil);
    connect(&session_, &Session::statusChanged, said_, &UndoBanner::lookAgain);
    connect(actions_, &RunActions::cancelAllChanged, this, &RunsPage::takeStatus);
    connect(ranges_, &MeasurementRangeActions::done, said_, &UndoBanner::sayShared);
    connect(&session_, &Session::rangesChanged, said_, &UndoBanner::forgetShared);
    // Of the run whose menu it was: another may have been followed since.
    connect(actions_, &RunActions::noteRequested, this, [this](const std::string& runId) {
        look(runId);
        header_->remarks().editNote();
    });
    connect(actions_, &RunActions::cancelAsked, this, &RunsPage::stayOnCancelled);
    connect(actions_, &RunActions::versionsRequested, this, &RunsPage::showVersions);
    connect(actions_, &RunActions::beforeAfterRequested, this, &RunsPage::beforeAfterRequested);
    connect(actions_, &RunActions::reasonRequested, this, [this](const std::string& runId) {
        look(runId);
        showSelected();
        header_->remarks().editReason();
    });
    queue_->model().setRemarks([this](const run::RunState& run) {
        const store::RunNote note = session_.note(run.id);
        return QueueModel::Remark{note.excluded, session_.isSkipped(run), QString::fromStdString(note.reason),
                                  QString::fromStdString(note.note)};
    });
    timer_.setInterval(pollMilliseconds);
    connect(&timer_, &QTimer::timeout, this, &RunsPage::poll);
    timer_.start();
    clock_.setInterval(tickMilliseconds);
    connect(&clock_, &QTimer::timeout, this, &RunsPage::tick);
    clock_.start();
    connect(&session_, &Session::statusChanged, this, &RunsPage::takeStatus);
    const auto takeImports = [this] {
        takeStatus();
        readHeadline();
    };
    connect(&session_, &Session::resultsChanged, this, takeImports, Qt::QueuedConnection);
    // Whether runs may be started depends on more than the runs.
    const auto showOffers = [this] {
        bar_->showCampaign(session_.openCampaign());
        showBanner(selected());
    };
    connect(&session_.measurement(), &Measurement::changed, this, showOffers);
    connect(&session_, &Session::runnerStarted, this, [this, showOffers] {
        selectedByUser_ = false;
        cancelledHere_.clear();
        showOffers();
    });
    connect(&session_, &Session::notesChanged, this, [this] {
        takeStatus();  // the campaign may have another name
        queue_->model().remarksChanged();
        showSelected();
    });
    takeImports();
}

// The list stays where it was: at what follows, or at what came back.
void RunsPage::connectDeletions() {
    connect(deletions_, &Deletions::done, said_, &UndoBanner::say);
    connect(deletions_, &Deletions::moved, this, [this](const run::Deletion& deletion) {
        if (std::ranges::find(deletion.runs, selectedId_) != deletion.runs.end()) {
            shownThen_[deletion.name] = selectedId_;
            const std::string next = queue_->besides(deletion.runs);
            if (!next.empty()) {
                select(next);
            }
        }
    });
    connect(deletions_, &Deletions::broughtBack, this, [this](const run::Deletion& deletion) {
        const auto shown = shownThen_.find(deletion.name);
        awaited_ = shown == shownThen_.end() ? std::string() : shown->second;
    });
}

void RunsPage::buildStack() {
    QVBoxLayout* column = roomyBody();
    stack_ = new QStackedWidget(column->parentWidget());
    stack_->addWidget(buildEmpty());
    auto* content = new QWidget(stack_);
    QHBoxLayout* row = makeRow(content, {}, 10);
    row->addWidget(buildQueue(content));
    row->addWidget(buildRun(content), 1);
    addDrawer(*row, *queue_, Drawer::Side::Left, QStringLiteral("runs"), tr("Queue of runs"));
    stack_->addWidget(content);
    column->addWidget(said_);
    column->addWidget(stack_, 1);
}

QWidget* RunsPage::buildEmpty() {
    QPushButton* launch = makeButton(tr("Go to Launch"), QStringLiteral("launch"), "primary");
    connect(launch, &QPushButton::clicked, this, &RunsPage::launchRequested);
    return makeEmptyPage(stack_, tr("Nothing has run in this workspace yet"),
                         tr("Launch has a plan ready: a real ResNet50 on this machine, in a few minutes."),
                         launch);
}

QWidget* RunsPage::buildQueue(QWidget* parent) {
    queue_ = new QueuePanel(session_.vocabulary(), session_.formats(), parent);
    connect(queue_, &QueuePanel::filtered, this, &RunsPage::showSelected);
    connect(queue_, &QueuePanel::chosen, this, &RunsPage::look);
    connect(queue_, &QueuePanel::menuRequested, this, [this](const QPoint& at) {
        if (const run::RunState* run = selected()) {
            QMenu* menu = actions_->makeMenu(*run, statesOf(queue_->runsToRemove()), this);
            menu->addSeparator();
            deletions_->addTo(*menu, queue_->selectedRuns(), *run);
            menu->popup(at);
        }
    });
    connect(queue_, &QueuePanel::removeRequested, this,
            [this](const std::vector<std::string>& runs) { actions_->remove(statesOf(runs)); });
    connect(queue_, &QueuePanel::deleteRequested, this, &RunsPage::deleteSelected);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this,
            [this] { log_->focusSearch(); });
    return queue_;
}

QWidget* RunsPage::buildHeadOfRun(QWidget* parent) {
    header_ = new RunHeader(session_.vocabulary(), parent);
    const auto act = [this](const auto& action) {
        if (const run::RunState* run = selected()) {
            action(run::RunState(*run));
        }
    };
    connect(header_, &RunHeader::folderRequested, this, [act] { act(&RunActions::openFolder); });
    connect(header_, &RunHeader::versionsRequested, this, [this] { showVersions(selectedId_); });
    connect(header_, &RunHeader::cancelRequested, this, [this](const std::string& runId) {
        const run::RunState* run = runOf(runId);
        if (run != nullptr && run->phase != run::RunPhase::Finished && !session_.isBeingCancelled(*run)) {
            actions_->cancel(run::RunState(*run));
        }
    });
    connect(header_, &RunHeader::excludeRequested, this, [this, act](bool exclude) {
        act([this, exclude](const run::RunState& run) { actions_->setExcluded(run, exclude); });
    });
    connect(&header_->remarks(), &RunRemarks::edited, &session_, &Session::setNote);
    return header_;
}

QWidget* RunsPage::buildRun(QWidget* parent) {
    auto* host = new QWidget(parent);
    QVBoxLayout* column = makeColumn(host, {}, 10);
    column->addWidget(buildHeadOfRun(host));
    banner_ = new Banner;
    connect(banner_, &Banner::actionTriggered, this, &RunsPage::bannerAction);
    column->addWidget(banner_);
    hints_ = new RunHints(host);
    column->addWidget(hints_);
    said_ = new UndoBanner(this);  // see showPart()
    auto* rows = new QSplitter(Qt::Vertical, host);
    rows->setHandleWidth(10);
    rows->setChildrenCollapsible(false);
    chart_ = new LiveChartPanel(tr("Throughput per node"), rows);
    connect(follower_, &RunFollower::chartChanged, &chart_->chart(), &ChartView::setSpec);
    rows->addWidget(chart_);
    telemetry_ = new TelemetryPanel(rows);
    rows->addWidget(telemetry_);
    log_ = new LogPanel(session_.background(), rows);
    rows->addWidget(log_);
    log_->setMinimumHeight(scaled(leastLog));
    rows->setSizes({290, 40, 330});  // most of the room is the log's
    connect(hints_, &RunHints::lineRequested, log_,
            [this](const std::string& node, std::int64_t line) { log_->goToLine(node, line); });
    column->addWidget(rows, 1);
    return host;
}

void RunsPage::showVersions(const std::string& runId) {
    const run::RunState* run = runOf(runId);
    if (run == nullptr || run->path.empty()) {
        return;
    }
    auto* dialog =
        new VersionsDialog(session_.background(), runTitle(*run, session_.vocabulary()), run->path, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void RunsPage::changeMeasurementRange() {
    ranges_->change(session_.repetitionsOf(selectedId_));
}

std::optional<bool> RunsPage::isExcluded() const {
    const run::RunState* run = selected();
    return run != nullptr && RunActions::hasFigure(*run) ? std::optional(session_.note(run->id).excluded)
                                                         : std::nullopt;
}

void RunsPage::deleteSelected() {
    deletions_->ask(queue_->selectedRuns());
}

void RunsPage::switchExcluded() {
    if (const auto excluded = isExcluded()) {
        actions_->setExcluded(run::RunState(*selected()), !*excluded);
    }
}

const run::RunState* RunsPage::runOf(const std::string& id) const {
    for (const auto* campaigns : {&session_.campaigns(), &session_.imports()}) {
        for (const run::Campaign& campaign : *campaigns) {
            const auto run = std::ranges::find(campaign.runs, id, &run::RunState::id);
            if (run != campaign.runs.end()) {
                return &*run;
            }
        }
    }
    return nullptr;
}

// Copies: the lists that they are in are made anew twice a second.
std::vector<run::RunState> RunsPage::statesOf(const std::vector<std::string>& runs) const {
    const std::set<std::string> wanted(runs.begin(), runs.end());
    std::vector<run::RunState> states;
    for (const auto* campaigns : {&session_.campaigns(), &session_.imports()}) {
        for (const run::Campaign& campaign : *campaigns) {
            std::ranges::copy_if(campaign.runs, std::back_inserter(states),
                                 [&](const run::RunState& run) { return wanted.contains(run.id); });
        }
    }
    return states;
}

void RunsPage::takeStatus() {
    const auto& campaigns = session_.campaigns();
    const auto& imports = session_.imports();
    showPart(campaigns.empty() && imports.empty() ? 0 : 1);
    const run::Campaign* open = session_.openCampaign();
    bar_->showCampaign(open);
    queue_->model().setRuns({session_.sharedCampaigns(), session_.sharedImports(), session_.campaignNames(),
                             session_.sharedLooks()});
    if (campaigns.empty() && imports.empty()) {
        setSubtitle(tr("none yet"));
        return;
    }
    if (campaigns.empty()) {
        setSubtitle(tr("imported logs"));
    } else {
        showOpen(open != nullptr ? *open : campaigns.back());
    }
    if (!awaited_.empty() && runOf(awaited_) != nullptr) {
        select(std::exchange(awaited_, {}));
    }
    chooseByItself();
    showSelected();
}

// What was just done is said on the empty page as well: the last campaign may have been deleted, and the keys
// that undo it need a focus there.
void RunsPage::showPart(int part) {
    if (stack_->currentIndex() == part) {
        return;
    }
    const bool isSaid = !said_->isHidden();
    const QWidget* focused = window()->focusWidget();
    const bool hadFocus = focused != nullptr && stack_->isAncestorOf(focused);
    QWidget* beside = part == 0 ? static_cast<QWidget*>(stack_) : hints_;
    auto* column = qobject_cast<QBoxLayout*>(beside->parentWidget()->layout());
    column->insertWidget(column->indexOf(beside) + part, said_);  // above the empty page, below the hints
    said_->setVisible(isSaid);
    stack_->setCurrentIndex(part);
    if (hadFocus) {
        enter();
    }
}

void RunsPage::showOpen(const run::Campaign& shown) {
    const auto all = static_cast<int>(shown.runs.size());
    const auto finished =
        static_cast<int>(std::ranges::count(shown.runs, run::RunPhase::Finished, &run::RunState::phase));
    const QString name = QString::fromStdString(session_.campaignNames()[shown.id]);
    const QString state = shown.paused ? tr("%1: run %2 of %3, paused") : tr("%1: run %2 of %3");
    const auto countText = [](int count) { return numberLocale().toString(count); };
    const QString found = finished == all && headlineOf_ == shown.id && !headline_.empty()
                              ? tr(". %1", "a sentence behind others").arg(localized(headline_))
                              : QString();
    setSubtitle(shown.runnerAlive ? state.arg(name, countText(std::min(finished + 1, all)), countText(all))
                : finished == all
                    ? tr("%1: %2").arg(name, outcomesText(shown.outcomes())) + found
                    : tr("%1: %2 of %3 finished").arg(name, countText(finished), countText(all)));
    bar_->showProgress(finished, all);
}

// Of the newest campaign; read again with its results, and shown once it is over.
void RunsPage::readHeadline() {
    if (session_.campaigns().empty()) {
        return;
    }
    const std::string campaign = session_.campaigns().back().id;
    session_.background().ask(
        this,
        [results = session_.resultsOf(campaign), formats = session_.formats(),
         &vocabulary = session_.vocabulary()] { return report::headlineOf(results, vocabulary, formats); },
        [this, campaign](const std::string& headline) {
            headline_ = headline;
            headlineOf_ = campaign;
            takeStatus();
        });
}

// What is being typed of a run would end in the middle, and its last keys go elsewhere. A log that was
// scrolled up, and has the focus, is being read.
bool RunsPage::isAtWorkOnIt() const {
    const QWidget* focused = window()->focusWidget();
    return focused != nullptr && (header_->remarks().isAncestorOf(focused) ||
                                  (focused == &log_->view() && !log_->view().isFollowing()));
}

// Follows the active run until the user looks at another one, or is at work on this one.
void RunsPage::chooseByItself() {
    const run::RunState* active = session_.activeRun();
    const run::RunState* shown = selected();
    if (shown == nullptr || shown == active) {
        selectedByUser_ = false;
    }
    const bool cancelled = shown != nullptr && selectedId_ == cancelledHere_;
    if (selectedByUser_ || cancelled || (shown != nullptr && isAtWorkOnIt())) {
        return;
    }
    std::string next = active != nullptr ? active->id : selectedId_;
    if (next.empty() || (shown == nullptr && active == nullptr)) {
        if (const std::string first = queue_->firstRun(); !first.empty()) {
            next = first;
        }
    }
    if (next != selectedId_) {
        selectedId_ = next;
        followSelection();
    }
}

// The next run would come under the pointer that has just cancelled this one, and a second click end it, too.
void RunsPage::stayOnCancelled(const std::string& runId) {
    cancelledHere_ = runId;
    showSelected();
}

void RunsPage::look(const std::string& runId) {
    if (runId != selectedId_) {
        select(runId);
    }
}

void RunsPage::select(const std::string& runId) {
    selectedId_ = runId;
    selectedByUser_ = true;
    cancelledHere_.clear();
    followSelection();
}

void RunsPage::takeOver(const RunsPage& other) {
    queue_->takeOver(*other.queue_);
    selectedId_ = other.selectedId_;
    selectedByUser_ = other.selectedByUser_;
    cancelledHere_ = other.cancelledHere_;
    telemetry_->takeOver(*other.telemetry_);
    followSelection();
    log_->takeOver(*other.log_);
    opened_ = other.opened_;  // else the log goes to its line once more
    shownThen_ = other.shownThen_;
    deletions_->takeOver(*other.deletions_);
    said_->takeOver(*other.said_);
    actions_->takeOver(*other.actions_);
}

void RunsPage::followSelection() {
    opened_ = Opened::Anywhere;
    live_.reset();
    follower_->forget();
    chart_->chart().setSpec({});
    telemetry_->showTelemetry({});
    showSelected();
    poll();
}

void RunsPage::showSelected() {
    const run::RunState* run = selected();
    showBanner(run);
    showHints();
    if (run == nullptr) {
        return;
    }
    queue_->select(selectedId_);
    header_->setFill(session_.looks().fillOf(report::seriesKeyOf(*run), session_.vocabulary()));
    header_->showRun(*run, live_ ? &*live_ : nullptr, isWatched());
    header_->setCancellable(run->phase != run::RunPhase::Finished && !session_.isBeingCancelled(*run));
    header_->showNote(run->id, session_.note(run->id));
    log_->view().setNothing(noLogText(*run));
    QStringList nodes;
    std::vector<std::filesystem::path> files;
    for (std::size_t rank = 0; rank < run->nodes.size() && !run->path.empty(); ++rank) {
        nodes << QString::fromStdString(run->nodes[rank]);
        files.push_back(store::nodeLog(run->path, rank));
    }
    log_->setLogs(nodes, files,
                  {session_.formats().find(run->format),
                   {run->benchmarkCase.topology, run->benchmarkCase.configuration.batchSize},
                   run->range,
                   session_.formats()});
}

bool RunsPage::isWatched() const {
    const run::Campaign* open = session_.openCampaign();
    return open == nullptr || open->runnerAlive;
}

void RunsPage::showBanner(const run::RunState* run) {
    const run::Campaign* open = session_.openCampaign();
    if (open != nullptr && open->lostJournal) {
        const Error& lost = *open->lostJournal;
        offer_ = Offer::Nothing;
        banner_->showMessage("fail", tr("\"%1\" cannot be resumed.").arg(QString::fromStdString(open->plan)),
                             localized(lost.what) + QLatin1Char('\n') + QString::fromStdString(lost.where),
                             localized(lost.remedy));
        banner_->setClosable(false);
        return;
    }
    if (open != nullptr && !open->runnerAlive) {
        offer_ = Offer::Resume;
        banner_->showMessage(
            "warn", tr("The runner of \"%1\" has ended.").arg(QString::fromStdString(open->plan)),
            localized(open->lastWords + (open->lastWords.empty() ? "" : "\n")) +
                tr("The plan is not finished. Finished runs are kept; Resume runs the others."),
            {}, tr("Resume"), Banner::ActionKind::Primary);
        banner_->setClosable(false);
        return;
    }
    if (open != nullptr && open->paused && session_.activeRun() == nullptr) {
        offer_ = Offer::Continue;
        banner_->showMessage("info", tr("Paused."), tr("The next run waits until you resume."), {},
                             tr("Resume"));
        banner_->setClosable(false);
        return;
    }
    const bool bad = run != nullptr && run->phase == run::RunPhase::Finished && run->outcome != Outcome::Ok;
    if (!bad || run->reason.empty()) {
        offer_ = Offer::Nothing;
        banner_->hide();
        return;
    }
    offer_ = run->origin == Origin::Own && run::mayRetry(*run) && actions_->mayStart() ? Offer::Retry
                                                                                       : Offer::Nothing;
    const bool failed = run->outcome == Outcome::Failed || run->outcome == Outcome::Oom;
    const bool isCancelled = run->outcome == Outcome::Cancelled;  // its reason says so itself
    banner_->showMessage(failed ? "fail" : "info",
                         run->alreadyThere ? tr("Not run.")
                         : isCancelled     ? tr("This run has no figure.")
                                           : tr("This run has no figure: %1.").arg(outcomeText(*run)),
                         localized(run->reason), {}, offer_ == Offer::Retry ? tr("Retry") : QString());
    banner_->setClosable(false);
}

void RunsPage::showHints() {
    const run::RunState* run = selected();
    if (run == nullptr || !live_) {
        hints_->showHints(selectedId_, {});
        return;
    }
    const bool endedOk = run->phase == run::RunPhase::Finished && run->outcome == Outcome::Ok;
    hints_->showHints(selectedId_, diagnosis::mostTelling(live_->hints, endedOk));
}

void RunsPage::bannerAction() {
    const run::RunState* run = selected();
    if (offer_ == Offer::Resume) {
        session_.resume();
    } else if (offer_ == Offer::Continue) {
        bar_->togglePause();
    } else if (offer_ == Offer::Retry && run != nullptr) {
        actions_->runAgain(run::RunState(*run));
    }
}

// While another page is shown nothing is read: it is there when this one is.
void RunsPage::poll() {
    const run::RunState* run = selected();
    if (isVisible() && run != nullptr && !run->path.empty() && follower_->poll(*run)) {
        log_->refresh();
    }
}

// What changes with the time, and with where the user is, though the runs stay as they are.
void RunsPage::tick() {
    const run::Campaign* open = session_.openCampaign();
    if (!isVisible() || open == nullptr || !open->runnerAlive) {
        return;
    }
    bar_->showCampaign(open);
    chooseByItself();
    if (const run::RunState* run = selected(); run != nullptr && run->phase != run::RunPhase::Finished) {
        header_->showRun(*run, live_ ? &*live_ : nullptr, isWatched());
    }
}

void RunsPage::takeUpdate(LiveUpdate update) {
    live_ = std::move(update);
    telemetry_->showTelemetry(live_->telemetry);
    if (const run::RunState* run = selected()) {
        chart_->setTitle(tr("Throughput per node"), localized(run->unit));
        const double share = run->range.train > 0
                                 ? std::min(1.0, static_cast<double>(live_->iteration) / run->range.train)
                                 : 0.0;
        queue_->model().setProgress(run->id, share,
                                    tr("%1 of %2").arg(live_->iteration).arg(run->range.train));
        header_->showRun(*run, &*live_, isWatched());
    }
    showHints();
    openAtItsLine();
}

// A failed run opens where its log says why, else at its last error; after that the log stays where its
// reader is.
void RunsPage::openAtItsLine() {
    const run::RunState* run = selected();
    if (opened_ == Opened::AtHint || run == nullptr || run->phase != run::RunPhase::Finished ||
        (run->outcome != Outcome::Failed && run->outcome != Outcome::Oom)) {
        return;
    }
    const auto hints = diagnosis::mostTelling(live_->hints);
    const auto hint = std::ranges::find_if(hints, [](const diagnosis::Hint& one) { return one.line > 0; });
    if (hint != hints.end()) {
        opened_ = Opened::AtHint;
        log_->goToLine(hint->node, hint->line, LogPanel::Focus::Stays);
    } else if (opened_ == Opened::Anywhere) {  // the hint may come with a later part of a long log
        opened_ = Opened::AtLastError;
        log_->goToLastError();
    }
}

void RunsPage::cancelAll() {
    actions_->cancelAll();
}

void RunsPage::enter() {
    poll();
    QWidget* first = entryOf(*queue_);
    if (stack_->currentIndex() == 0) {  // an empty page offers its next step
        first = stack_->currentWidget()->findChild<QPushButton*>();
    }
    if (first != nullptr) {
        first->setFocus(Qt::OtherFocusReason);
    }
}

}  // namespace dlperf::ui
