// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/command_palette.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/shell/palette_list.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int widest = 620;
constexpr int fromTop = 48;
constexpr int mostRows = 12;
constexpr int paletteMargin = 8;

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window),
      field_(new QLineEdit),
      list_(new QListView),
      model_(new PaletteModel(this)),
      nothing_(makeLabel({}, "secondary")) {
    setProperty("kind", "palette");
    setAccessibleName(tr("Find an action or a run"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(paletteMargin + 1, paletteMargin + 1, paletteMargin + 1, paletteMargin + 1);
    column->setSpacing(paletteMargin);
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
    tellCurrent();
    place();
}

// The focus is in the field, so a screen reader hears of the row through it.
void CommandPalette::tellCurrent() {
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
    tellCurrent();
}

bool CommandPalette::takeKey(int key) {
    switch (key) {
        case Qt::Key_Down:
            move(1);
            return true;
        case Qt::Key_Up:
            move(-1);
            return true;
        case Qt::Key_PageDown:
            move(mostRows - 1);
            return true;
        case Qt::Key_PageUp:
            move(1 - mostRows);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose(list_->currentIndex());
            return true;
        case Qt::Key_Escape:
            dismiss();
            return true;
        default:
            return false;
    }
}

bool CommandPalette::focusNextPrevChild(bool next) {
    return isVisible() || QFrame::focusNextPrevChild(next);
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
