// SPDX-License-Identifier: Apache-2.0
// The runs of a plan in the order in which they will run.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/launch/past_runs.h"
#include "core/launch/prepare.h"

namespace dlperf::ui {

class RunListModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Recipe, TopologyColumn, Batch, Precision, Repetition, Time, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    // `times` tell how long cases took before.
    void setRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Case benchmarkCase;
        int repetition = 0;
        QString time;
    };
    std::vector<Row> rows_;
};

}  // namespace dlperf::ui
