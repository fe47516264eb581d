// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/table_header.h"

#include <QPainter>

#include "ui/theme/fonts.h"

namespace dlperf::ui {
namespace {

constexpr int arrowWidth = 12;  // px, as the style sheet has it
constexpr int padding = 10;

}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
}

bool TableHeader::isSorted(int column) const {
    return isSortIndicatorShown() && sortIndicatorSection() == column;
}

int TableHeader::widthFor(int column) const {
    const QString title = model()->headerData(column, orientation()).toString();
    const QFontMetrics metrics(textFont(size::secondary, QFont::DemiBold));
    return metrics.horizontalAdvance(title) + 2 * padding + 1 + (isSorted(column) ? arrowWidth : 0);
}

// The style takes the arrow's width off the right end, so a section without arrow is drawn that much wider.
void TableHeader::paintSection(QPainter* painter, const QRect& rect, int column) const {
    painter->save();
    painter->setClipRect(rect);
    QHeaderView::paintSection(painter, isSorted(column) ? rect : rect.adjusted(0, 0, arrowWidth, 0), column);
    painter->restore();
}

}  // namespace dlperf::ui
