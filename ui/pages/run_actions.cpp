// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_actions.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QMenu>
#include <QUrl>
#include <algorithm>

#include "core/run/retry.h"
#include "ui/pages/measurement_range_actions.h"
#include "ui/session/session.h"

namespace dlperf::ui {

using run::RunPhase;

namespace {

constexpr int undoMilliseconds = 5000;

}  // namespace

RunActions::RunActions(Session& session, MeasurementRangeActions& ranges, QObject* parent)
    : QObject(parent), session_(session), ranges_(ranges) {
    cancelTimer_.setSingleShot(true);
    cancelTimer_.setInterval(undoMilliseconds);
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
    return !session_.isStarting() && std::ranges::none_of(session_.campaigns(), works);
}

bool RunActions::hasFigure(const run::RunState& run) {
    return run.phase == RunPhase::Finished && run.outcome == Outcome::Ok;
}

QMenu* RunActions::makeMenu(const run::RunState& run, QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(menu, run);
    return menu;
}

// The run is copied into each action: the list it comes from is made anew twice a second.
void RunActions::fillMenu(QMenu* menu, const run::RunState& run) {
    const bool finished = run.phase == RunPhase::Finished;
    if (hasFigure(run)) {
        const bool excluded = session_.note(run.id).excluded;
        QAction* action = menu->addAction(excluded ? tr("Include again") : tr("Exclude from the medians"),
                                          this, [this, run, excluded] { setExcluded(run, !excluded); });
        action->setShortcut(excluded ? QKeySequence() : QKeySequence(Qt::Key_Delete));
    } else if (!finished && session_.isLeftOut(run) && run.phase == RunPhase::Queued) {
        menu->addAction(tr("Unskip this run"), this,
                        [this, run] { session_.request(run::Request::KeepRun, run.id); });
    } else if (!finished) {
        menu->addAction(run.phase == RunPhase::Queued ? tr("Skip this run") : tr("Cancel this run"), this,
                        [this, run] { cancel(run); })
            ->setShortcut(Qt::Key_Delete);
    }
    if (finished) {
        menu->addAction(tr("Run this case again"), this, [this, run] { runAgain(run); })
            ->setEnabled(mayStart());
        ranges_.addTo(*menu, session_.repetitionsOf(run.id));
    }
    menu->addAction(tr("Note …"), this, &RunActions::noteRequested);
    menu->addAction(tr("Versions …"), this, &RunActions::versionsRequested)->setEnabled(!run.path.empty());
    menu->addSeparator();
    menu->addAction(tr("Open its folder"), this, [run] { openFolder(run); })->setEnabled(!run.path.empty());
    menu->addAction(
            tr("Copy the folder's path"), this,
            [run] { QGuiApplication::clipboard()->setText(QString::fromStdString(run.path.string())); })
        ->setEnabled(!run.path.empty());
    menu->addAction(tr("Copy the run's id"), this,
                    [run] { QGuiApplication::clipboard()->setText(QString::fromStdString(run.id)); });
}

void RunActions::openFolder(const run::RunState& run) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(run.path.string())));
}

void RunActions::remove(const run::RunState& run) {
    if (run.phase != RunPhase::Finished) {
        if (!session_.isLeftOut(run)) {
            cancel(run);
        }
    } else if (hasFigure(run) && !session_.note(run.id).excluded) {
        setExcluded(run, true);
    }
}

// A stopped trainer cannot continue: only a run that has not begun can be unskipped.
void RunActions::cancel(const run::RunState& run) {
    session_.request(run::Request::CancelRun, run.id);
    if (run.phase == RunPhase::Queued) {
        emit done(tr("This run will be skipped."), tr("The others run as planned."),
                  [this, id = run.id] { session_.request(run::Request::KeepRun, id); });
    } else {
        emit done(tr("This run is being cancelled."), tr("It can be run again once the others are through."),
                  {});
    }
}

void RunActions::cancelAll() {
    const run::Campaign* open = session_.openCampaign();
    if (open == nullptr || !open->runnerAlive || isCancellingAll()) {
        return;
    }
    cancelled_ = open->id;
    cancelTimer_.start();
    emit done(tr("All runs will be cancelled in 5 seconds."),
              tr("The current run will be stopped, and queued ones will not start."), [this] {
                  cancelTimer_.stop();
                  emit cancelAllChanged();
              });
    emit cancelAllChanged();
}

void RunActions::requestCancelAll() {
    emit cancelAllChanged();
    const run::Campaign* open = session_.openCampaign();
    if (open != nullptr && open->runnerAlive && open->id == cancelled_) {
        session_.request(run::Request::Cancel);
        emit done(tr("All runs are being cancelled."), {}, {});
    } else {
        emit done(tr("All runs have ended."), {}, {});
    }
}

void RunActions::setExcluded(const run::RunState& run, bool excluded) {
    const store::RunNote before = session_.note(run.id);
    store::RunNote after = before;
    after.excluded = excluded;
    after.reason = excluded ? before.reason : std::string();
    session_.setNote(run.id, after);
    const auto undo = [this, id = run.id, before] {
        store::RunNote restored = session_.note(id);  // a note that was written since stays
        restored.excluded = before.excluded;
        restored.reason = before.reason;
        session_.setNote(id, restored);
    };
    if (excluded) {
        emit done(tr("This run is excluded."), tr("It is kept and shown, and no longer counts in medians."),
                  undo);
        emit reasonRequested();
    } else {
        emit done(tr("This run counts again."), {}, undo);
    }
}

void RunActions::runAgain(const run::RunState& run) {
    for (const run::Campaign& campaign : session_.campaigns()) {
        if (std::ranges::find(campaign.runs, run.id, &run::RunState::id) != campaign.runs.end()) {
            session_.retry(campaign, {run.id});
            return;
        }
    }
}

void RunActions::retry(const run::Campaign& campaign) {
    session_.retry(campaign, run::retryable(campaign));
}

}  // namespace dlperf::ui
