// SPDX-License-Identifier: Apache-2.0
// What can be done with a run: its menu, the Delete key, and how each is taken back.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <string>

#include "core/run/status.h"

class QMenu;
class QWidget;

namespace dlperf::ui {

class Session;
class MeasurementRangeActions;

class RunActions final : public QObject {
    Q_OBJECT

public:
    RunActions(Session& session, MeasurementRangeActions& ranges, QObject* parent = nullptr);
    ~RunActions() override;

    // The run's menu; what is not possible now is disabled.
    [[nodiscard]] QMenu* makeMenu(const run::RunState& run, QWidget* parent);

    // Delete: skips a queued run, cancels the current one, excludes a figure.
    void remove(const run::RunState& run);
    void cancel(const run::RunState& run);
    // Asks the runner to cancel all runs in 5 seconds, or when the window closes; until then it can be
    // undone.
    void cancelAll();
    [[nodiscard]] bool isCancellingAll() const { return cancelTimer_.isActive(); }
    void setExcluded(const run::RunState& run, bool excluded);
    void runAgain(const run::RunState& run);
    // All of a campaign that have no figure.
    void retry(const run::Campaign& campaign);
    static void openFolder(const run::RunState& run);

    // No runner runs or is being started.
    [[nodiscard]] bool mayStart() const;
    [[nodiscard]] static bool hasFigure(const run::RunState& run);

signals:
    // To be said where the user is; `undo` may be empty.
    void done(const QString& what, const QString& why, const std::function<void()>& undo);
    void cancelAllChanged();
    void noteRequested();
    void reasonRequested();
    void versionsRequested();

private:
    void fillMenu(QMenu* menu, const run::RunState& run);
    void requestCancelAll();

    Session& session_;
    MeasurementRangeActions& ranges_;
    QTimer cancelTimer_;
    std::string cancelled_;  // the campaign that cancelAll() was called for
};

}  // namespace dlperf::ui
