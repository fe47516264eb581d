// SPDX-License-Identifier: Apache-2.0
// Changing the measurement range of runs, and undoing it: the same on Compare and Runs.
#pragma once

#include <QObject>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/model/case.h"
#include "core/store/windows.h"

class QMenu;

namespace dlperf::ui {

class Session;

class MeasurementRangeActions final : public QObject {
    Q_OBJECT

public:
    // Asks above the page.
    MeasurementRangeActions(Session& session, QWidget* page);

    // What can be done with these runs; of none it is disabled.
    void addTo(QMenu& menu, const std::vector<RunResult>& runs);
    // Asks for a range; without runs it says why there is none to change.
    void change(const std::vector<RunResult>& runs);

signals:
    void done(const QString& what, const QString& why, const std::function<void()>& undo);

private:
    void restore(const std::vector<RunResult>& runs);
    void make(const store::WindowChanges& changes, const std::vector<RunResult>& runs);

    Session& session_;
    QWidget* page_;
};

}  // namespace dlperf::ui
