// SPDX-License-Identifier: Apache-2.0
// The runs of a plan in the order in which they will run.
#pragma once

#include "core/launch/past_runs.h"
#include "core/launch/prepare.h"
#include "ui/models/columns_model.h"

namespace dlperf::ui {

struct PlannedRunRow {
    int number = 0;  // from 1
    Case benchmarkCase;
    int repetition = 0;
    QString time;
};

class RunListModel final : public ColumnsModel<PlannedRunRow> {
    Q_OBJECT

public:
    enum Column { Number, Recipe, TopologyColumn, Batch, Precision, Repetition, Time };

    explicit RunListModel(QObject* parent = nullptr);
    // `times` tell how long cases took before.
    void setRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times);

protected:
    [[nodiscard]] std::span<const PlannedRunRow> rows() const override { return rows_; }

private:
    std::vector<PlannedRunRow> rows_;
};

}  // namespace dlperf::ui
