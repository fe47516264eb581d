// SPDX-License-Identifier: Apache-2.0
// Paints the rows of the results table: a series' key before its name, small bars beside spread and
// efficiency, one thin line under each row. A bar is drawn where its column has room for it beside the
// figure.
#pragma once

#include <QStyledItemDelegate>

namespace dlperf::ui {

class ResultsDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int rowHeight = 29;       // px at 100 %
    static constexpr int efficiencyRoom = 42;  // px: what the bar takes of its column

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace dlperf::ui
