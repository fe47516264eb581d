// SPDX-License-Identifier: Apache-2.0
#include "ui/models/copy_table.h"

#include <numeric>

namespace dlperf::ui {

report::Table shownTable(const QAbstractItemModel& model, const std::vector<int>& columns,
                         const std::vector<int>& rows, int numberRole) {
    report::Table table;
    for (const int column : columns) {
        const int alignment = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        table.columns.push_back(
            {model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString(),
             (alignment & Qt::AlignRight) != 0});
    }
    for (const int row : rows) {
        std::vector<report::TableCell> cells;
        for (const int column : columns) {
            const QModelIndex index = model.index(row, column);
            report::TableCell cell = report::textCell(index.data().toString().toStdString());
            if (const QVariant number = index.data(numberRole); number.isValid()) {
                cell.number = number.toDouble();
            }
            cells.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<int> firstOf(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

}  // namespace dlperf::ui
