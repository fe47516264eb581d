// SPDX-License-Identifier: Apache-2.0
// A table's header whose titles end where the figures below them end. The style keeps room for the sort arrow
// in every section; here only the sorted one gives it.
#pragma once

#include <QHeaderView>
#include <QTableView>

namespace dlperf::ui {

class TableHeader final : public QHeaderView {
public:
    static constexpr int usualPadding = 10;  // px, as the style sheet has it
    static constexpr int densePadding = 6;   // of tables of the kind "dense"

    explicit TableHeader(QWidget* parent = nullptr, int padding = usualPadding);

    // What the title of a column needs, in px.
    [[nodiscard]] int widthFor(int column) const;
    // What it needs without its unit: "Median" of "Median, images/s" is shown where there is no room for
    // more.
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

// Tables whose rows are one thing each: chosen as a whole, without grid and row numbers, left by Tab.
// name: for screen readers. rowHeight: px at 100 %.
void setUpRowTable(QTableView* table, const QString& name, int rowHeight);

}  // namespace dlperf::ui
