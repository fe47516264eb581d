// SPDX-License-Identifier: Apache-2.0
// The cases of two campaigns, one row a case: both figures, the difference and what the rank test says.
#pragma once

#include <vector>

#include "core/report/before_after.h"
#include "ui/models/columns_model.h"

namespace dlperf::ui {

struct BeforeAfterRow {
    report::BeforeAfterCase one;
    std::vector<report::TableCell> cells;  // its row of report::beforeAfterTable()
};

class BeforeAfterModel final : public ColumnsModel<BeforeAfterRow> {
    Q_OBJECT

public:
    enum Column {
        CaseColumn,
        TopologyColumn,
        BeforeColumn,
        AfterColumn,
        DifferenceColumn,
        IntervalColumn,
        PColumn,
        RunsColumn,
        VerdictColumn,
        ColumnCount
    };
    // RawRole sorts; NumberRole is the figure that a cell shows, for files.
    enum Role { RawRole = Qt::UserRole, NumberRole };

    explicit BeforeAfterModel(QObject* parent = nullptr) : ColumnsModel(parent) { describeColumns(); }

    // limit: what a case may be worse by, as a fraction.
    void setCompared(const report::BeforeAfter& compared, double limit);
    // The verdicts' colours are the theme's.
    void showTheme();

    QVariant data(const QModelIndex& index, int role) const override;

protected:
    [[nodiscard]] std::span<const BeforeAfterRow> rows() const override { return rows_; }

private:
    void describeColumns();

    std::vector<BeforeAfterRow> rows_;
    double limit_ = 0;
};

}  // namespace dlperf::ui
