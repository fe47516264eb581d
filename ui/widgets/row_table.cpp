// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/row_table.h"

#include <QHeaderView>

#include "ui/theme/fonts.h"

namespace dlperf::ui {

void setUpRowTable(QTableView* table, const QString& name, int rowHeight) {
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(scaled(rowHeight));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(name);
}

}  // namespace dlperf::ui
