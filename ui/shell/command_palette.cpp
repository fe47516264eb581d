// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/command_palette.h"

#include <QAbstractListModel>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int widest = 620;
constexpr int fromTop = 48;
constexpr int mostRows = 12;
constexpr int paletteMargin = 8;
constexpr int paletteRowHeight = 30;
constexpr int iconSize = 16;
constexpr int paletteGap = 10;

QColor iconColor(const QString& name, const Theme& theme) {
    return name.startsWith(QLatin1String("state-")) ? stateColor(theme, name.mid(6)) : theme.text2;
}

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

constexpr int barHeight = 28;  // the menu bar's: it puts a corner widget at its top

}  // namespace

class PaletteModel final : public QAbstractListModel {
public:
    enum Role { DetailRole = Qt::UserRole, ShortcutRole, IconRole };

    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<PaletteEntry> entries) {
        beginResetModel();
        entries_ = std::move(entries);
        shown_ = findEntries(entries_, {});
        endResetModel();
    }

    void setQuery(const QString& query) {
        beginResetModel();
        shown_ = findEntries(entries_, query);
        endResetModel();
    }

    [[nodiscard]] const PaletteEntry* entry(const QModelIndex& index) const {
        return index.isValid() ? shown_[static_cast<std::size_t>(index.row())] : nullptr;
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(shown_.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        const PaletteEntry* shown = entry(index);
        if (shown == nullptr) {
            return {};
        }
        switch (role) {
            case Qt::DisplayRole:
                return shown->title;
            case Qt::AccessibleTextRole:
                return shown->shortcut.isEmpty()
                           ? CommandPalette::tr("%1, %2").arg(shown->title, shown->detail)
                           : CommandPalette::tr("%1, %2, %3")
                                 .arg(shown->title, shown->detail, shown->shortcut);
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

private:
    std::vector<PaletteEntry> entries_;
    std::vector<const PaletteEntry*> shown_;
};

class PaletteDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
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

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {option.rect.width(), std::max(paletteRowHeight, QFontMetrics(textFont()).height() + 12)};
    }
};

FindButton::FindButton(const QString& text, const QKeySequence& shortcut, QWidget* parent)
    : QToolButton(parent) {
    setProperty("kind", "find");
    setAccessibleName(text);
    setFocusPolicy(Qt::NoFocus);  // as the menus beside it; its key is the shortcut
    QHBoxLayout* row = makeRow(this, {8, 0, 8, 0}, 7);
    row->addWidget(makeIcon(QStringLiteral("search"), "", 14));
    row->addWidget(makeLabel(text, "secondary"));
    row->addWidget(makeLabel(shortcut.toString(QKeySequence::NativeText), "key"), 0, Qt::AlignVCenter);
    for (QLabel* label : findChildren<QLabel*>()) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
}

// A tool button asks for the room of its own text and icon; here the layout has them.
QSize FindButton::sizeHint() const {
    return {layout()->sizeHint().width(), barHeight};
}

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window),
      field_(new QLineEdit),
      list_(new QListView),
      model_(new PaletteModel(this)),
      nothing_(makeLabel({}, "secondary")) {
    setProperty("kind", "palette");
    setAccessibleName(tr("Find an action or a run"));
    QVBoxLayout* column = makeColumn(
        this, {paletteMargin + 1, paletteMargin + 1, paletteMargin + 1, paletteMargin + 1}, paletteMargin);
    field_->setPlaceholderText(tr("Find an action or a run"));
    field_->setAccessibleName(tr("Find an action or a run"));
    addSearchIcon(*field_);
    column->addWidget(field_);
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setFocusPolicy(Qt::NoFocus);  // the keyboard stays in the field
    list_->setMouseTracking(true);
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAccessibleName(tr("Actions and runs"));
    column->addWidget(list_, 1);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setMinimumHeight(60);
    column->addWidget(nothing_);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::takeQuery);
    connect(list_, &QListView::clicked, this, &CommandPalette::choose);
    connect(list_, &QListView::entered, list_, &QListView::setCurrentIndex);
    hide();
}

void CommandPalette::open(std::vector<PaletteEntry> entries) {
    before_ = window()->focusWidget();
    ensurePolished();  // its style is a part of its size
    model_->setEntries(std::move(entries));
    const QSignalBlocker quiet(field_);
    field_->clear();
    takeQuery({});
    show();
    raise();
    field_->setFocus(Qt::PopupFocusReason);
    qApp->installEventFilter(this);
}

void CommandPalette::dismiss() {
    const QPointer<QWidget> before = before_;
    hide();
    if (before && before->isVisible()) {
        before->setFocus(Qt::PopupFocusReason);
    }
}

void CommandPalette::hideEvent(QHideEvent* event) {
    qApp->removeEventFilter(this);
    QFrame::hideEvent(event);
}

void CommandPalette::takeQuery(const QString& query) {
    model_->setQuery(query);
    const bool some = model_->rowCount() > 0;
    list_->setVisible(some);
    nothing_->setVisible(!some);
    nothing_->setText(tr("Nothing is called \"%1\"").arg(query.trimmed()));
    list_->setCurrentIndex(model_->index(0));
    list_->scrollToTop();
    describeCurrent();
    place();
}

// The focus is in the field, so a screen reader gets the row through it.
void CommandPalette::describeCurrent() {
    const QModelIndex current = list_->currentIndex();
    field_->setAccessibleDescription(current.isValid() ? current.data(Qt::AccessibleTextRole).toString()
                                                       : nothing_->text());
}

void CommandPalette::place() {
    const QSize room = parentWidget()->size();
    const int width = std::min(widest, room.width() - 2 * paletteMargin);
    list_->setFixedHeight(list_->sizeHintForRow(0) * std::min(model_->rowCount(), mostRows));
    layout()->activate();
    const int height = std::min(sizeHint().height(), room.height() - fromTop - paletteMargin);
    setGeometry((room.width() - width) / 2, fromTop, width, height);
}

void CommandPalette::choose(const QModelIndex& index) {
    const PaletteEntry* entry = model_->entry(index);
    if (entry == nullptr || !entry->choose) {
        return;
    }
    const auto action = entry->choose;
    dismiss();
    action();
}

void CommandPalette::move(int rows) {
    const int all = model_->rowCount();
    if (all == 0) {
        return;
    }
    const int now = list_->currentIndex().row();
    // One step past an end goes to the other one; a page stops there.
    const int next = std::abs(rows) == 1 ? (now + rows + all) % all : std::clamp(now + rows, 0, all - 1);
    list_->setCurrentIndex(model_->index(next));
    describeCurrent();
}

bool CommandPalette::takeKey(int key) {
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
        move(key == Qt::Key_Down ? 1 : -1);
    } else if (key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
        move(key == Qt::Key_PageDown ? mostRows - 1 : 1 - mostRows);
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        choose(list_->currentIndex());
    } else if (key == Qt::Key_Escape) {
        dismiss();
    } else {
        return false;
    }
    return true;
}

bool CommandPalette::takeFieldEvent(QEvent* event) {
    switch (event->type()) {
        case QEvent::ShortcutOverride: {
            // What is a key of the list here must not be a shortcut of the page below, such as Ctrl+Return.
            const int key = static_cast<QKeyEvent*>(event)->key();
            event->setAccepted(key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape);
            return event->isAccepted();
        }
        case QEvent::KeyPress:
            return takeKey(static_cast<QKeyEvent*>(event)->key());
        case QEvent::FocusOut: {
            const auto reason = static_cast<QFocusEvent*>(event)->reason();
            if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
                hide();  // the user has put the focus elsewhere
            }
            return false;
        }
        default:
            return false;
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == field_) {
        return takeFieldEvent(event);
    }
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        place();
    }
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::MouseButtonPress && widget != nullptr && widget != this &&
        !isAncestorOf(widget) && widget->window() == window()) {
        dismiss();  // and the click does what it does
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace dlperf::ui
