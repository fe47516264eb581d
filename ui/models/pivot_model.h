// SPDX-License-Identifier: Apache-2.0
// A pivot table as the window shows it: its rows in groups by their first field, sorted within these.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/report/pivot.h"

namespace dlperf::ui {

// Campaigns have names that somebody gave them: those stay as they are. `fields` are the heading's.
[[nodiscard]] QString localizedHeading(report::PivotHeading heading,
                                       const std::vector<report::PivotField>& fields);

class PivotModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    // SignRole: of a heading, the framework's sign, as TableHeader draws it. HeatRole: see report::PivotCell;
    // ComparedRole: that heat is of a difference; SharedRole: the cell shows the best of several cases;
    // GroupRole: the row heads a group.
    enum Role { SignRole = Qt::UserRole, HeatRole, ComparedRole, SharedRole, GroupRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setPivot(report::Pivot pivot);
    // Sorted as shown.
    const report::Pivot& pivot() const { return pivot_; }
    // Null where the place is a heading or says how far the best is ahead.
    [[nodiscard]] const report::PivotCell* cellAt(const QModelIndex& index) const;
    [[nodiscard]] bool isGroup(int row) const { return !lines_[static_cast<std::size_t>(row)].isRow; }
    // Of the column under which the cell stands; empty for other columns.
    [[nodiscard]] QString columnHeading(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    // By the column's figures within each group; a negative column: as the pivot came.
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Line {
        bool isRow = false;  // else the heading of the group that begins with the row
        std::size_t row = 0;
    };

    [[nodiscard]] bool isGrouped() const { return pivot_.layout.rows.size() > 1; }
    [[nodiscard]] bool tellsLead() const;
    [[nodiscard]] QString rowTitle() const;
    [[nodiscard]] QString groupText(std::size_t row) const;
    [[nodiscard]] QString rowText(std::size_t row) const;
    [[nodiscard]] QVariant cellData(const report::PivotCell& cell, int role) const;
    [[nodiscard]] std::optional<double> sortKey(std::size_t row, int column) const;
    void layOut();

    report::Pivot given_;
    report::Pivot pivot_;
    std::vector<Line> lines_;
    int sortedBy_ = -1;
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace dlperf::ui
