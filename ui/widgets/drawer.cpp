// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/drawer.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QScrollArea>
#include <QShortcut>
#include <QStyle>
#include <QToolButton>

#include "ui/widgets/page.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

Drawer::Drawer(QWidget& page, QBoxLayout& row, QWidget& panel, Side side, QToolButton& button)
    : QObject(&page),
      page_(page),
      row_(row),
      panel_(panel),
      side_(side),
      button_(button),
      room_(makeScrolled(nullptr, ScrollBars::VerticalOnly)) {
    room_->setParent(&page);
    room_->setProperty("kind", "drawer");
    room_->hide();
    button_.setObjectName(QStringLiteral("drawer"));
    button_.setCheckable(true);
    button_.hide();
    connect(&button_, &QToolButton::toggled, this, &Drawer::show);
    auto* close = new QShortcut(QKeySequence(Qt::Key_Escape), room_);
    close->setContext(Qt::WidgetWithChildrenShortcut);
    connect(close, &QShortcut::activated, this, [this] {
        button_.setChecked(false);
        button_.setFocus(Qt::OtherFocusReason);
    });
}

void Drawer::setNarrow(bool narrow, int top) {
    top_ = top;
    if (narrow != narrow_) {
        narrow_ = narrow;
        button_.setChecked(false);
        button_.setVisible(narrow && offered_);
        if (narrow) {
            row_.removeWidget(&panel_);
            room_->setWidget(&panel_);
        } else {
            row_.insertWidget(side_ == Side::Left ? 0 : row_.count(), room_->takeWidget());
        }
        panel_.setVisible(offered_);  // changing parents hides
    }
    place();
}

void Drawer::setOffered(bool offered) {
    if (offered == offered_) {
        return;  // an open one stays open
    }
    offered_ = offered;
    button_.setChecked(false);
    button_.setVisible(narrow_ && offered);
    panel_.setVisible(offered);
}

void Drawer::show(bool open) {
    room_->setVisible(open);
    if (!open) {
        qApp->removeEventFilter(this);
        return;
    }
    qApp->installEventFilter(this);
    place();
    room_->raise();
    if (QWidget* entry = entryOf(panel_)) {
        entry->setFocus(Qt::OtherFocusReason);
    }
}

void Drawer::place() {
    if (!narrow_) {
        return;
    }
    const int height = page_.height() - top_;
    const bool scrolls = panel_.minimumSizeHint().height() > height;
    const int bar = scrolls ? room_->style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
    const int width =
        panel_.sizeHint().expandedTo(panel_.minimumSize()).boundedTo(panel_.maximumSize()).width() + bar +
        2 * room_->frameWidth();
    room_->setGeometry(side_ == Side::Left ? 0 : page_.width() - width, top_, width, height);
}

// A press beside the drawer closes it, and does what it does there. Menus and lists that it opened belong to
// it; so does the button, which closes it itself.
bool Drawer::eventFilter(QObject* watched, QEvent* event) {
    const auto* widget =
        event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget != nullptr && widget->window() == page_.window() && widget != room_ && widget != &button_ &&
        !room_->isAncestorOf(widget)) {
        button_.setChecked(false);
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace dlperf::ui
