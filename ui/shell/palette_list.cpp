// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/palette_list.h"

#include <QPainter>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"

namespace dlperf::ui {
namespace {

constexpr int paletteRowHeight = 30;
constexpr int iconSize = 16;
constexpr int paletteGap = 10;

QColor iconColor(const QString& name, const Theme& theme) {
    return name.startsWith(QLatin1String("state-")) ? stateColor(theme, name.mid(6)) : theme.text2;
}

// Returns what is left of the row.
QRect paintShortcut(QPainter& painter, const QRect& rect, const QString& shortcut, const Theme& theme) {
    if (shortcut.isEmpty()) {
        return rect;
    }
    painter.setFont(textFont(size::caption));
    const int width = painter.fontMetrics().horizontalAdvance(shortcut) + 12;
    const int height = painter.fontMetrics().height() + 4;
    const QRect key(rect.right() - width, rect.center().y() - height / 2, width, height);
    painter.setPen(theme.border2);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(key).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(theme.text2);
    painter.drawText(key, Qt::AlignCenter, shortcut);
    return rect.adjusted(0, 0, -width - paletteGap, 0);
}

QRect paintText(QPainter& painter, const QRect& rect, const QString& text) {
    const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width());
    painter.drawText(rect, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
    return rect.adjusted(painter.fontMetrics().horizontalAdvance(shown) + paletteGap, 0, 0, 0);
}

}  // namespace

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
    beginResetModel();
    entries_ = std::move(entries);
    shown_ = findEntries(entries_, {});
    endResetModel();
}

void PaletteModel::setQuery(const QString& query) {
    beginResetModel();
    shown_ = findEntries(entries_, query);
    endResetModel();
}

const PaletteEntry* PaletteModel::entry(const QModelIndex& index) const {
    return index.isValid() ? shown_[static_cast<std::size_t>(index.row())] : nullptr;
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    const PaletteEntry* shown = entry(index);
    if (shown == nullptr) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole:
            return shown->title;
        case Qt::AccessibleTextRole:
            return shown->shortcut.isEmpty()
                       ? tr("%1, %2").arg(shown->title, shown->detail)
                       : tr("%1, %2, %3").arg(shown->title, shown->detail, shown->shortcut);
        case DetailRole:
            return shown->detail;
        case ShortcutRole:
            return shown->shortcut;
        case IconRole:
            return shown->icon;
        default:
            return {};
    }
}

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const Theme& theme = currentTheme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.sel);
        painter->drawRoundedRect(option.rect, 4, 4);
    }
    QRect rest = option.rect.adjusted(paletteGap, 0, -8, 0);
    const QString name = index.data(PaletteModel::IconRole).toString();
    painter->drawPixmap(
        rest.left(), rest.center().y() + 1 - iconSize / 2,
        iconPixmap(name, iconColor(name, theme), iconSize,
                   painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1));
    rest.setLeft(rest.left() + iconSize + paletteGap);
    rest = paintShortcut(*painter, rest, index.data(PaletteModel::ShortcutRole).toString(), theme);
    painter->setFont(textFont());
    painter->setPen(theme.text);
    rest = paintText(*painter, rest, index.data().toString());
    painter->setFont(textFont(size::secondary));
    painter->setPen(theme.text2);
    paintText(*painter, rest, index.data(PaletteModel::DetailRole).toString());
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {option.rect.width(), std::max(paletteRowHeight, QFontMetrics(textFont()).height() + 12)};
}

}  // namespace dlperf::ui
