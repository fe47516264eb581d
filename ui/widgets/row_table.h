// SPDX-License-Identifier: Apache-2.0
// Tables whose rows are one thing each: chosen as a whole, without grid and row numbers, left by Tab.
#pragma once

#include <QTableView>

namespace dlperf::ui {

// name: for screen readers. rowHeight: px at 100 %.
void setUpRowTable(QTableView* table, const QString& name, int rowHeight);

}  // namespace dlperf::ui
