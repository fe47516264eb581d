// SPDX-License-Identifier: Apache-2.0
#include "ui/models/figure_order.h"

namespace dlperf::ui {

// The C locale's order knows no numbers.
FigureOrder::FigureOrder(QObject* parent)
    : QSortFilterProxyModel(parent),
      collator_(QLocale().language() == QLocale::C ? QLocale(QLocale::English) : QLocale()) {
    collator_.setNumericMode(true);
}

bool FigureOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    if (a.isValid() != b.isValid()) {
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    }
    if (a.typeId() == QMetaType::QString) {
        return collator_.compare(a.toString(), b.toString()) < 0;
    }
    return a.toDouble() < b.toDouble();
}

}  // namespace dlperf::ui
