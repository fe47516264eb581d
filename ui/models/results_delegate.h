// SPDX-License-Identifier: Apache-2.0
// Paints the rows of the results table: a series' key before its name, small bars beside spread and
// efficiency, one thin line under each row.
#pragma once

#include <QStyledItemDelegate>

namespace dlperf::ui {

class ResultsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace dlperf::ui
