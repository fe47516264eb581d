// SPDX-License-Identifier: Apache-2.0
// Launch's list of nodes and recipes: ready, to be prepared, or why they cannot be; and the button that
// prepares.
#pragma once

#include <vector>

#include "core/run/environments.h"
#include "ui/widgets/parts.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace dlperf::ui {

class ReadinessPanel final : public Panel {
    Q_OBJECT

public:
    explicit ReadinessPanel(QWidget* parent = nullptr);

    // Hidden where no recipe needs anything of a node.
    void showRows(const std::vector<run::EnvironmentProgress>& rows, bool preparing);

signals:
    void prepareRequested();
    void cancelRequested();
    void lookRequested();

private:
    void showRow(int row, const run::EnvironmentProgress& progress);
    void showSum(const std::vector<run::EnvironmentProgress>& rows, bool preparing);
    void copyRow(int row);

    std::vector<run::EnvironmentProgress> rows_;
    bool preparing_ = false;
    QLabel* sum_;
    QPushButton* again_;
    QPushButton* act_;
    QTableWidget* table_;
};

}  // namespace dlperf::ui
