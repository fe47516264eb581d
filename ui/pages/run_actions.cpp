// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_actions.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>
#include <algorithm>
#include <map>

#include "core/base/mapped.h"
#include "core/model/campaign.h"
#include "core/run/campaign_names.h"
#include "core/run/retry.h"
#include "ui/models/queue_model.h"
#include "ui/pages/measurement_range_dialog.h"
#include "ui/session/session.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

using run::RunPhase;

namespace {

constexpr std::chrono::milliseconds undoTime{5000};
constexpr int progressWidth = 160;

using std::chrono::milliseconds;

struct Took {
    milliseconds sum{0};
    int runs = 0;
    [[nodiscard]] milliseconds mean() const { return sum / std::max(1, runs); }
};

// Runs that were cut short say nothing about how long one takes.
bool ranToItsEnd(const run::RunState& run) {
    return run.phase == run::RunPhase::Finished && run.outcome == Outcome::Ok && run.started && run.ended;
}

bool isChanged(const RunResult& run) {
    return run.originalRange.has_value();
}

store::RangeChanges present(const std::vector<RunResult>& runs) {
    store::RangeChanges changes;
    for (const RunResult& run : runs) {
        changes[run.id] = isChanged(run)
                              ? std::optional(store::ChangedRange{run.range, run.outcome, run.throughput,
                                                                  run.reason, run.findings})
                              : std::nullopt;
    }
    return changes;
}

}  // namespace

RunActions::RunActions(Session& session, MeasurementRangeActions& ranges, QObject* parent)
    : QObject(parent), session_(session), ranges_(ranges) {
    cancelTimer_.setSingleShot(true);
    cancelTimer_.setInterval(undoTime);
    connect(&cancelTimer_, &QTimer::timeout, this, &RunActions::requestCancelAll);
}

// Not by the session: pages that its signals reach are gone by now.
RunActions::~RunActions() {
    if (isCancellingAll()) {
        (void)run::writeRequest(session_.workspace(), run::Request::Cancel);
    }
}

bool RunActions::mayStart() const {
    const auto works = [](const run::Campaign& campaign) { return campaign.runnerAlive; };
    return !session_.isStarting() && !session_.measurement().isRunning() &&
           std::ranges::none_of(session_.campaigns(), works);
}

bool RunActions::hasFigure(const run::RunState& run) {
    return run.phase == RunPhase::Finished && run.outcome == Outcome::Ok;
}

QMenu* RunActions::makeMenu(const run::RunState& run, const std::vector<run::RunState>& removed,
                            QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool areSeveral = removed.size() > 1;
    if (areSeveral) {
        QAction* remove =
            menu->addAction(tr("Exclude or skip the selected: %1").arg(runsText(removed.size())), this,
                            [this, removed] { removeSeveral(removed); });
        remove->setShortcut(Qt::Key_Delete);
        remove->setEnabled(std::ranges::any_of(removed, [this](const run::RunState& one) {
            return !session_.note(one.id).excluded && !session_.isSkipped(one) &&
                   (one.phase == RunPhase::Queued || hasFigure(one));
        }));
        menu->addSection(runTitle(run, session_.vocabulary()));
    }
    fillMenu(menu, run, areSeveral ? QKeySequence() : QKeySequence(Qt::Key_Delete));
    return menu;
}

// The run is copied into each action: the list it comes from is made anew twice a second.
void RunActions::fillMenu(QMenu* menu, const run::RunState& run, const QKeySequence& removal) {
    const bool finished = run.phase == RunPhase::Finished;
    if (hasFigure(run)) {
        const bool excluded = session_.note(run.id).excluded;
        QAction* action = menu->addAction(excluded ? tr("Include again") : tr("Exclude from the medians"),
                                          this, [this, run, excluded] { setExcluded(run, !excluded); });
        action->setShortcut(excluded ? QKeySequence() : removal);
    } else if (!finished && session_.isSkipped(run) && run.phase == RunPhase::Queued) {
        menu->addAction(tr("Unskip this run"), this,
                        [this, run] { session_.request(run::Request::KeepRun, run.id); });
    } else if (!finished && !session_.isBeingCancelled(run)) {
        menu->addAction(run.phase == RunPhase::Queued ? tr("Skip this run") : tr("Cancel this run"), this,
                        [this, run] { cancel(run); })
            ->setShortcut(removal);
    }
    const bool isImported = run.origin == Origin::Imported;
    if (finished && !isImported) {
        menu->addAction(run::mayRetry(run) ? tr("Retry this run") : tr("Run this case again"), this,
                        [this, run] { runAgain(run); })
            ->setEnabled(mayStart());
    }
    if (finished) {
        ranges_.addTo(*menu, session_.repetitionsOf(run.id));
    }
    menu->addAction(tr("Note …"), this, [this, run] { emit noteRequested(run.id); });
    if (!isImported) {
        menu->addAction(tr("Name its campaign …"), this, [this, menu, run] {
            askForCampaignName(session_, run.campaign, menu->parentWidget());
        });
        const std::string before = run::campaignBefore(session_.campaigns(), run.campaign);
        menu->addAction(tr("Compare with the campaign before"), this,
                        [this, before, campaign = seriesCampaign(run)] {
                            emit beforeAfterRequested(before, campaign);
                        })
            ->setEnabled(!before.empty());
        menu->addAction(tr("Versions …"), this, [this, run] { emit versionsRequested(run.id); })
            ->setEnabled(!run.path.empty());
    }
    menu->addSeparator();
    menu->addAction(tr("Open its folder"), this, [run] { openFolder(run); })->setEnabled(!run.path.empty());
    menu->addAction(tr("Copy the folder's path"), this,
                    [run] { copyText(QString::fromStdString(run.path.string())); })
        ->setEnabled(!run.path.empty());
    menu->addAction(tr("Copy the run's id"), this, [run] { copyText(QString::fromStdString(run.id)); });
}

void askForCampaignName(Session& session, const std::string& id, QWidget* parent) {
    auto* ask = new QInputDialog(parent->window());
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(RunActions::tr("Name the campaign"));
    ask->setLabelText(RunActions::tr("Name; without one it is called by its time and plan"));
    ask->setTextValue(QString::fromStdString(run::campaignName(session.campaignNames(), id)));
    QObject::connect(ask, &QInputDialog::textValueSelected, &session, [&session, id](const QString& name) {
        session.nameCampaign(id, name.simplified().toStdString());
    });
    ask->open();
}

void RunActions::openFolder(const run::RunState& run) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(run.path.string())));
}

void RunActions::remove(const std::vector<run::RunState>& runs) {
    if (runs.size() == 1) {
        removeOne(runs.front());
    } else if (!runs.empty()) {
        removeSeveral(runs);
    }
}

void RunActions::removeOne(const run::RunState& run) {
    if (run.phase != RunPhase::Finished) {
        if (!session_.isSkipped(run) && !session_.isBeingCancelled(run)) {
            cancel(run);
        }
    } else if (hasFigure(run) && !session_.note(run.id).excluded) {
        setExcluded(run, true);
    }
}

// All of it can be undone: the current run, which could not, goes on.
void RunActions::removeSeveral(const std::vector<run::RunState>& runs) {
    Removed removed;
    for (const run::RunState& run : runs) {
        const store::RunNote before = session_.note(run.id);
        if (before.excluded || session_.isSkipped(run)) {
            removed.someAlready = true;
        } else if (run.phase == RunPhase::Queued) {
            removed.skipped.push_back(run.id);
        } else if (run.phase != RunPhase::Finished) {
            removed.isCurrentLeft = true;
        } else if (hasFigure(run)) {
            removed.excluded[run.id] = before;
        }
    }
    session_.requestOfMany(run::Request::CancelRun, removed.skipped);
    exclude(mapped(removed.excluded, [](const auto& entry) { return entry.first; }), true);
    sayRemoved(removed);
}

void RunActions::sayRemoved(const Removed& removed) {
    QStringList what;
    QStringList why;
    if (!removed.excluded.empty()) {
        what << tr("Excluded: %1.").arg(runsText(removed.excluded.size()));
        why << tr("What is excluded is kept and shown, and no longer counts in medians.");
    }
    if (!removed.skipped.empty()) {
        what << tr("Skipped: %1.").arg(runsText(removed.skipped.size()));
    }
    if (removed.isCurrentLeft) {
        why << tr("The current run goes on: select it alone to cancel it.");
    }
    const auto undo = [this, removed] {
        undoExclusion(removed.excluded);
        session_.requestOfMany(run::Request::KeepRun, removed.skipped);
    };
    if (!what.isEmpty()) {
        emit done(what.join(QLatin1Char(' ')), why.join(QLatin1Char(' ')), undo);
    } else if (!removed.someAlready) {  // else their rows say it, and its undo is still offered
        emit done(tr("None of the selected runs can be excluded or skipped."), why.join(QLatin1Char(' ')),
                  {});
    }
}

// A stopped trainer cannot continue: only a run that has not begun can be unskipped.
void RunActions::cancel(const run::RunState& run) {
    session_.request(run::Request::CancelRun, run.id);
    const QString name = runTitle(run, session_.vocabulary());
    if (run.phase == RunPhase::Queued) {
        emit done(tr("%1 will be skipped.").arg(name), tr("The others run as planned."),
                  [this, id = run.id] { session_.request(run::Request::KeepRun, id); });
    } else {
        emit cancelAsked(run.id);
        emit begun(tr("%1 is being cancelled.").arg(name),
                   tr("It can be run again once the others are through."), [this, id = run.id] {
                       const run::RunState* active = session_.activeRun();
                       return active == nullptr || active->id != id;
                   });
    }
}

void RunActions::cancelAll() {
    const run::Campaign* open = session_.openCampaign();
    if (open == nullptr || !open->runnerAlive || isCancellingAll()) {
        return;
    }
    cancelLater(open->id);
}

void RunActions::takeOver(RunActions& other) {
    if (other.isCancellingAll()) {
        other.cancelTimer_.stop();
        cancelLater(other.cancelled_);
    }
}

void RunActions::cancelLater(const std::string& campaign) {
    cancelled_ = campaign;
    cancelTimer_.start();
    emit pending(
        tr("All runs are about to be cancelled."),
        tr("The current run will be stopped, and queued ones will not start."),
        [this] {
            cancelTimer_.stop();
            emit cancelAllChanged();
        },
        undoTime);
    emit cancelAllChanged();
}

void RunActions::requestCancelAll() {
    emit cancelAllChanged();
    const run::Campaign* open = session_.openCampaign();
    if (open != nullptr && open->runnerAlive && open->id == cancelled_) {
        session_.request(run::Request::Cancel);
        emit begun(tr("All runs are being cancelled."), {}, [this, id = cancelled_] {
            const run::Campaign* now = session_.openCampaign();
            return now == nullptr || !now->runnerAlive || now->id != id;
        });
    } else {
        emit done(tr("All runs have ended."), {}, {});
    }
}

void RunActions::exclude(const std::vector<std::string>& runIds, bool excluded) {
    Notes notes;
    for (const std::string& id : runIds) {
        store::RunNote& note = notes[id] = session_.note(id);
        note.excluded = excluded;
        note.reason = excluded ? note.reason : std::string();
    }
    session_.setNotes(notes);
}

// A note that was written since stays.
void RunActions::undoExclusion(const Notes& before) {
    Notes notes;
    for (const auto& [id, former] : before) {
        store::RunNote& restored = notes[id] = session_.note(id);
        restored.excluded = former.excluded;
        restored.reason = former.reason;
    }
    session_.setNotes(notes);
}

void RunActions::setExcluded(const run::RunState& run, bool excluded) {
    const store::RunNote before = session_.note(run.id);
    exclude({run.id}, excluded);
    const QString name = runTitle(run, session_.vocabulary());  // another one may be shown by then
    const auto undo = [this, id = run.id, before] { undoExclusion({{id, before}}); };
    if (excluded) {
        emit done(tr("%1 is excluded.").arg(name),
                  tr("It is kept and shown, and no longer counts in medians."), undo);
        emit reasonRequested(run.id);
    } else {
        emit done(tr("%1 counts again.").arg(name), {}, undo);
    }
}

void RunActions::runAgain(const run::RunState& run) {
    for (const run::Campaign& campaign : session_.campaigns()) {
        if (std::ranges::find(campaign.runs, run.id, &run::RunState::id) != campaign.runs.end()) {
            run::mayRetry(run) ? session_.retry(campaign.id, {run.id}) : session_.repeat(campaign, run.id);
            return;
        }
    }
}

void RunActions::retry(const run::Campaign& campaign) {
    session_.retry(campaign.id, run::retryable(campaign));
}

std::optional<std::chrono::seconds> timeLeft(const run::Campaign& campaign, TimePoint time) {
    std::map<Case, Took> byCase;
    Took any;
    for (const run::RunState& run : campaign.runs) {
        if (ranToItsEnd(run)) {
            for (Took* took : {&byCase[run.benchmarkCase], &any}) {
                took->sum += *run.ended - *run.started;
                ++took->runs;
            }
        }
    }
    if (any.runs == 0) {
        return std::nullopt;
    }
    milliseconds left{0};
    for (const run::RunState& run : campaign.runs) {
        if (run.phase != run::RunPhase::Finished) {
            const auto same = byCase.find(run.benchmarkCase);
            const milliseconds whole = same == byCase.end() ? any.mean() : same->second.mean();
            const milliseconds gone = run.started ? time - *run.started : milliseconds{0};
            left += std::max(milliseconds{0}, whole - gone);
        }
    }
    return std::chrono::duration_cast<std::chrono::seconds>(left);
}

CampaignBar::CampaignBar(Session& session, RunActions& actions, QWidget* parent)
    : QWidget(parent), session_(session), actions_(actions) {
    QHBoxLayout* row = makeRow(this, {}, 8);
    retry_ = makeButton({}, QStringLiteral("refresh"));
    retry_->setToolTip(tr("Runs them again in the same campaign; not those that ran out of memory"));
    connect(retry_, &QPushButton::clicked, this, [this] {
        if (!session_.campaigns().empty()) {
            actions_.retry(session_.campaigns().back());
        }
    });
    row->addWidget(retry_);
    left_ = makeLabel({}, "secondary");
    row->addWidget(left_);
    progress_ = new QProgressBar;
    progress_->setTextVisible(false);
    progress_->setFixedWidth(progressWidth);
    // Its place stays between Retry and the others: "Pause queue" came under the pointer that had retried.
    QSizePolicy keepsPlace = progress_->sizePolicy();
    keepsPlace.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(keepsPlace);
    row->addWidget(progress_);
    pause_ = makeButton({});
    connect(pause_, &QPushButton::clicked, this, &CampaignBar::togglePause);
    row->addWidget(pause_);
    cancelAll_ = makeButton(tr("Cancel all"), QStringLiteral("stop"), "destructive");
    connect(cancelAll_, &QPushButton::clicked, this, [this] { actions_.cancelAll(); });
    row->addWidget(cancelAll_);
    compare_ = makeButton(tr("See comparison"), QStringLiteral("compare"), "primary");
    connect(compare_, &QPushButton::clicked, this, &CampaignBar::comparisonRequested);
    row->addWidget(compare_);
}

void CampaignBar::showCampaign(const run::Campaign* open) {
    const bool running = open != nullptr && open->runnerAlive;
    cancelAll_->setVisible(running);
    cancelAll_->setEnabled(!actions_.isCancellingAll());
    progress_->setVisible(running);
    pause_->setVisible(running);
    const auto left = running ? timeLeft(*open, now()) : std::nullopt;
    left_->setVisible(left.has_value());
    left_->setText(left ? tr("about %1 left").arg(durationText(*left)) : QString());
    if (!running || pauseAsked_ == open->paused) {
        pauseAsked_.reset();
    }
    const bool paused = running && open->paused;
    pause_->setText(paused ? tr("Resume") : tr("Pause queue"));
    pause_->setIcon(icon(paused ? QStringLiteral("launch") : QStringLiteral("pause"), Ink::Text));
    pause_->setToolTip(paused ? tr("Starts the next run")
                              : tr("The current run finishes; no further one starts"));
    pause_->setEnabled(!pauseAsked_);
    const auto& campaigns = session_.campaigns();
    const char* kind = open == nullptr ? "primary" : "";  // else Resume is the next step
    if (compare_->property("kind").toString() != QLatin1String(kind)) {
        compare_->setProperty("kind", kind);
        compare_->setIcon(icon(QStringLiteral("compare"), open == nullptr ? Ink::OnAccent : Ink::Text));
        restyle(compare_);
    }
    compare_->setVisible(!running && std::ranges::any_of(campaigns, [](const run::Campaign& campaign) {
        return campaign.outcomes().contains(Outcome::Ok);
    }));
    std::map<Outcome, int> again;
    if (!campaigns.empty()) {
        for (const run::RunState& run : campaigns.back().runs) {
            if (run::isWorthRetrying(run)) {
                ++again[run.outcome];
            }
        }
    }
    retry_->setVisible(!again.empty() && open == nullptr);
    retry_->setEnabled(actions_.mayStart());
    retry_->setText(tr("Retry %1").arg(outcomesText(again)));
}

void CampaignBar::showProgress(int finished, int all) {
    progress_->setRange(0, all);
    progress_->setValue(finished);
}

void CampaignBar::togglePause() {
    const run::Campaign* open = session_.openCampaign();
    if (open == nullptr || !open->runnerAlive || pauseAsked_) {
        return;
    }
    pauseAsked_ = !open->paused;
    session_.request(*pauseAsked_ ? run::Request::Pause : run::Request::Continue);
}

MeasurementRangeActions::MeasurementRangeActions(Session& session, QWidget* page)
    : QObject(page), session_(session), page_(page) {}

// The runs are copied into each action: those they come from are read anew at any time.
void MeasurementRangeActions::addTo(QMenu& menu, const std::vector<RunResult>& runs) {
    menu.addAction(tr("Change the measurement range …"), this, [this, runs] { change(runs); })
        ->setEnabled(!runs.empty());
    menu.addAction(tr("Restore the original range"), this, [this, runs] { restore(runs); })
        ->setVisible(std::ranges::any_of(runs, isChanged));
}

void MeasurementRangeActions::change(const std::vector<RunResult>& runs) {
    if (runs.empty()) {
        emit done(tr("Choose runs that have a measurement range."),
                  tr("Published figures come without logs, and runs that failed have no figure to change."),
                  {});
        return;
    }
    auto* dialog = new MeasurementRangeDialog(session_.workspace(), session_.vocabulary(), session_.formats(),
                                              runs, page_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, runs] { make(dialog->changes(), runs); });
    dialog->open();
}

void MeasurementRangeActions::restore(const std::vector<RunResult>& runs) {
    store::RangeChanges changes;
    for (const RunResult& run : runs) {
        changes[run.id] = std::nullopt;
    }
    make(changes, runs);
}

// Reports the change once it stands on the disk. The page may be gone by then.
void MeasurementRangeActions::make(const store::RangeChanges& changes, const std::vector<RunResult>& runs) {
    const auto undo = [&session = session_, before = present(runs)] { session.changeRanges(before); };
    const bool changed = std::ranges::any_of(changes, [](const auto& one) { return one.second.has_value(); });
    session_.changeRanges(changes, [self = QPointer(this), count = runs.size(), changed, undo] {
        if (self == nullptr) {
            return;
        }
        if (changed) {
            emit self->done(count == 1 ? tr("The measurement range of one run is changed.")
                                       : tr("The measurement range of %1 runs is changed.").arg(count),
                            tr("Tables, charts and reports follow, and say so."), undo);
        } else {
            emit self->done(tr("The original measurement range is restored."), {}, undo);
        }
    });
}

}  // namespace dlperf::ui
