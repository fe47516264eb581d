// SPDX-License-Identifier: Apache-2.0
// A node's topology matrix as a coloured grid. One Tab stop; arrows move from pair to pair.
#pragma once

#include <QTableView>

namespace dlperf::ui {

class TopologyModel;

class TopologyGrid final : public QTableView {
    Q_OBJECT

public:
    explicit TopologyGrid(TopologyModel& model, QWidget* parent = nullptr);

signals:
    // Row and column of the chosen pair; the same twice, or past the devices, where none is chosen.
    void pairChosen(int row, int column);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();

    TopologyModel& model_;
};

}  // namespace dlperf::ui
