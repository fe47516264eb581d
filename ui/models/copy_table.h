// SPDX-License-Identifier: Apache-2.0
// What is shown, as a table for elsewhere: core's writers make Markdown, CSV and HTML of it.
#pragma once

#include <QAbstractItemModel>
#include <vector>

#include "core/report/table.h"

namespace dlperf::ui {

// Texts as shown; figures in full precision where the model has them under `numberRole`.
[[nodiscard]] report::Table shownTable(const QAbstractItemModel& model, const std::vector<int>& columns,
                                       const std::vector<int>& rows, int numberRole = -1);
// 0 to count - 1: all columns, or all rows as they are sorted and filtered.
[[nodiscard]] std::vector<int> firstOf(int count);

}  // namespace dlperf::ui
