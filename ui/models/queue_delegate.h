// SPDX-License-Identifier: Apache-2.0
// A row of the queue: state, what runs, and how far it is or what came out.
#pragma once

#include <QStyledItemDelegate>

namespace dlperf::ui {

class QueueDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    static void paintDetail(QPainter& painter, const QRect& line, const QModelIndex& index);
};

}  // namespace dlperf::ui
