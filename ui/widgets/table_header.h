// SPDX-License-Identifier: Apache-2.0
// A header that keeps room for the sort arrow in the sorted section only, so that titles meet figures.
#pragma once

#include <QHeaderView>
#include <QTableView>
#include <functional>

namespace dlperf::ui {

class TableHeader final : public QHeaderView {
public:
    static constexpr int usualPadding = 10;  // px, as the style sheet has it
    static constexpr int densePadding = 6;   // of tables of the kind "dense"

    // A pixmap of the header's data that stands right before a right-aligned title.
    static constexpr int SignRole = Qt::UserRole;

    explicit TableHeader(QWidget* parent = nullptr, int padding = usualPadding);

    // What the title of a column needs, in px.
    [[nodiscard]] int widthFor(int column) const { return widthOf(titleOf(column), column); }
    // The same with room for the sort arrow, sorted or not: then a click moves no column.
    [[nodiscard]] int steadyWidthFor(int column) const;
    // Without the title's unit: "Median" of "Median, images/s".
    [[nodiscard]] int leastFor(int column) const;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int column) const override;
    void paintSection(QPainter* painter, const QRect& rect, int column) const override;

private:
    [[nodiscard]] bool isSorted(int column) const;
    [[nodiscard]] QString titleOf(int column) const;
    [[nodiscard]] int widthOf(const QString& title, int column) const;

    int padding_;
};

// Rows that are chosen as a whole, without grid and numbers. rowHeight: px at 100 %.
void setUpRowTable(QTableView* table, const QString& name, int rowHeight);

// A table to read whose rows are one thing each. rowHeight: px at 100 %.
[[nodiscard]] QTableView* makeRowsTable(QAbstractItemModel* model, const QString& name, int rowHeight);

// Calls `layOut` where columns have another room, as with more rows than fit: a scroll bar takes a part of
// the width; and where a click has sorted, once it is over: within it the header does not stretch its last
// section.
void layOutColumnsBy(QTableView& table, const std::function<void()>& layOut);

// Whatever keys are held: the table's own function adds the row where Ctrl is.
void selectOnlyRow(QTableView& table, int row);
// A row is chosen, so that the keyboard's place is seen.
void focusRows(QTableView& table);

}  // namespace dlperf::ui
