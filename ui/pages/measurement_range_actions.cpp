// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/measurement_range_actions.h"

#include <QMenu>
#include <QPointer>
#include <algorithm>

#include "ui/pages/measurement_range_dialog.h"
#include "ui/session/session.h"

namespace dlperf::ui {
namespace {

bool isChanged(const RunResult& run) {
    return run.originalWindow.has_value();
}

// As the runs are now.
store::WindowChanges present(const std::vector<RunResult>& runs) {
    store::WindowChanges changes;
    for (const RunResult& run : runs) {
        changes[run.id] = isChanged(run)
                              ? std::optional(store::ChangedWindow{run.window, run.outcome, run.throughput,
                                                                   run.reason, run.findings})
                              : std::nullopt;
    }
    return changes;
}

}  // namespace

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
    store::WindowChanges changes;
    for (const RunResult& run : runs) {
        changes[run.id] = std::nullopt;
    }
    make(changes, runs);
}

// Reports the change once it stands on the disk. The page may be gone by then.
void MeasurementRangeActions::make(const store::WindowChanges& changes, const std::vector<RunResult>& runs) {
    const auto undo = [this, before = present(runs)] { session_.changeWindows(before); };
    const bool changed = std::ranges::any_of(changes, [](const auto& one) { return one.second.has_value(); });
    session_.changeWindows(changes, [self = QPointer(this), count = runs.size(), changed, undo] {
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
