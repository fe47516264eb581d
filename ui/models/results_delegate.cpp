// SPDX-License-Identifier: Apache-2.0
#include "ui/models/results_delegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>
#include <algorithm>

#include "ui/models/results_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/series_style.h"

namespace dlperf::ui {
namespace {

constexpr int padding = 6;
constexpr int spreadWidth = 48;
constexpr int efficiencyWidth = ResultsDelegate::efficiencyRoom - padding;
constexpr int keyWidth = 20;
constexpr int indent = 4;  // of the first column: it stands below the panel's title

void paintSpread(QPainter& painter, const QRect& rect, const SpreadBar& bar, const Theme& theme) {
    const double middle = rect.center().x() + 0.5;
    const double y = rect.center().y() + 0.5;
    const double half = spreadWidth / 2.0;
    const double scale = bar.widest > 0 ? half * 0.9 / bar.widest : 0;
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(middle - half, y), QPointF(middle + half, y));
    painter.setPen(QPen(theme.text, 1.4));
    const double left = middle + bar.low * scale;
    const double right = middle + bar.high * scale;
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    for (const double end : {left, right}) {
        painter.drawLine(QPointF(end, y - 3), QPointF(end, y + 3));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawEllipse(QPointF(middle, y), 2.5, 2.5);
}

void paintEfficiency(QPainter& painter, QRect rect, double share, const Theme& theme) {
    const QRectF track(rect.left() + padding, rect.center().y() - 2, efficiencyWidth, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.press);
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(theme.text3);
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(share, 0.0, 1.0), 6)),
                            3, 3);
}

// The table's focus is a ring around the chosen row: each cell draws its part of it.
void paintFocus(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                const Theme& theme) {
    const auto* table = qobject_cast<const QTableView*>(option.widget);
    if (table == nullptr || !table->hasFocus() || table->currentIndex().row() != index.row()) {
        return;
    }
    const QHeaderView& header = *table->horizontalHeader();
    const QRect cell = option.rect.adjusted(0, 1, 0, -1);
    const auto isAt = [&](int visual, int step) {  // no column is shown beyond it
        for (visual += step; visual >= 0 && visual < header.count(); visual += step) {
            if (!table->isColumnHidden(header.logicalIndex(visual))) {
                return false;
            }
        }
        return true;
    };
    const int visual = header.visualIndex(index.column());
    painter.setPen(QPen(theme.focus, 2));
    painter.drawLine(cell.topLeft(), cell.topRight());
    painter.drawLine(cell.bottomLeft(), cell.bottomRight());
    if (isAt(visual, -1)) {
        painter.drawLine(cell.topLeft() + QPoint(1, 0), cell.bottomLeft() + QPoint(1, 0));
    }
    if (isAt(visual, 1)) {
        painter.drawLine(cell.topRight(), cell.bottomRight());
    }
}

}  // namespace

void ResultsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const Theme& theme = currentTheme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (selected) {
        painter->fillRect(option.rect, theme.sel);
    }
    QRect text = option.rect.adjusted(padding, 0, -padding, 0);
    const QVariant bar = index.data(ResultsModel::BarRole);
    if (index.column() == ResultsModel::SeriesColumn) {
        text.setLeft(text.left() + indent);
        const SeriesStyle style =
            frameworkStyle(theme, index.data(ResultsModel::FrameworkRole).toString().toStdString(),
                           index.data(ResultsModel::FillRole).toInt());
        drawKey(*painter, QRectF(text.left(), text.top(), keyWidth, text.height()), style,
                selected ? theme.sel : theme.panel);
        text.setLeft(text.left() + keyWidth + 8);
    } else if (index.column() == ResultsModel::SpreadBarColumn && bar.isValid()) {
        paintSpread(*painter, option.rect, bar.value<SpreadBar>(), theme);
    } else if (index.column() == ResultsModel::EfficiencyColumn && bar.isValid() &&
               sizeHint(option, index).width() <= option.rect.width()) {
        paintEfficiency(*painter, option.rect, bar.toDouble(), theme);
    }
    QColor ink = theme.text;
    if (const QString finding = index.data().toString();
        index.column() == ResultsModel::FindingColumn && !finding.isEmpty()) {
        painter->drawPixmap(QPoint(text.left(), text.center().y() - 6),
                            iconPixmap(QStringLiteral("state-warn"), theme.warn.text, 14,
                                       painter->device()->devicePixelRatioF()));
        text.setLeft(text.left() + 20);
        ink = theme.warn.text;
    }
    painter->setPen(ink);
    painter->setFont(index.data(Qt::FontRole).value<QFont>());
    // What tells series of one framework apart stands at the end of their names.
    const auto cut = index.column() == ResultsModel::SeriesColumn ? Qt::ElideMiddle : Qt::ElideRight;
    const QString shown = painter->fontMetrics().elidedText(index.data().toString(), cut, text.width());
    painter->drawText(text, index.data(Qt::TextAlignmentRole).toInt(), shown);
    painter->setPen(QPen(theme.grid, 1));
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    paintFocus(*painter, option, index, theme);
    painter->restore();
}

QSize ResultsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
    int width = metrics.horizontalAdvance(index.data().toString()) + 2 * padding + 1;
    switch (index.column()) {
        case ResultsModel::SeriesColumn:
            width += indent + keyWidth + 8;
            break;
        case ResultsModel::SpreadBarColumn:
            width = spreadWidth + padding;
            break;
        case ResultsModel::EfficiencyColumn:
            width += efficiencyRoom;
            break;
        case ResultsModel::FindingColumn:
            width += 20;
            break;
        default:
            break;
    }
    return {width, rowHeight};
}

}  // namespace dlperf::ui
