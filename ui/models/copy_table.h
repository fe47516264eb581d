// SPDX-License-Identifier: Apache-2.0
// What is shown, as text for elsewhere: every visible column with a header, rows in the order shown.
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <vector>

namespace dlperf::ui {

[[nodiscard]] QString tableAsMarkdown(const QAbstractItemModel& model, const std::vector<int>& columns);
[[nodiscard]] QString tableAsCsv(const QAbstractItemModel& model, const std::vector<int>& columns);

}  // namespace dlperf::ui
