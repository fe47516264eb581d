// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/page.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/theme/fonts.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int pageHeaderHeight = 52;
constexpr int pageMargin = 12;
constexpr int pageSpacing = 10;
constexpr int drawersBelow = 970;  // px of the page, at 100 %

// A key pressed there by mistake triggers and types nothing.
bool isNeutral(const QWidget& widget) {
    return qobject_cast<const QAbstractButton*>(&widget) == nullptr &&
           !widget.testAttribute(Qt::WA_InputMethodEnabled);
}

constexpr const char* entryName = "entry";

bool isRegion(const QFrame& frame) {
    const QString kind = frame.property("kind").toString();
    return kind == QLatin1String("panel") || kind == QLatin1String("sidepanel");
}

bool takesFocus(const QWidget& widget) {
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0;
}

bool hasFocus(const QWidget& region) {
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && (focus == &region || region.isAncestorOf(focus));
}

// As they are read: row by row, and within a row from the left; what stands below each other beside a taller
// one is a column of that row.
void sortAsSeen(QList<QWidget*>& widgets) {
    std::ranges::stable_sort(widgets, {}, &QWidget::y);
    for (auto row = widgets.begin(); row != widgets.end();) {
        auto end = row + 1;
        for (int bottom = (*row)->geometry().bottom();
             end != widgets.end() && (*end)->geometry().center().y() <= bottom; ++end) {
            bottom = std::max(bottom, (*end)->geometry().bottom());
        }
        std::stable_sort(row, end, [](const QWidget* a, const QWidget* b) { return a->x() < b->x(); });
        row = end;
    }
}

void addStops(QWidget& parent, QList<QWidget*>& stops) {
    if (QLayout* layout = parent.layout()) {
        layout->activate();  // what was just added has its place
    }
    QList<QWidget*> children;
    for (QWidget* child : parent.findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (child->isVisible() && !child->isWindow()) {
            children << child;
        }
    }
    sortAsSeen(children);
    for (QWidget* child : children) {
        if (child->focusPolicy() != Qt::NoFocus && child->focusProxy() == nullptr) {
            stops << child;
        }
        addStops(*child, stops);
    }
}

// Tab goes by the order in which widgets were made; rows of chips are made anew and came last.
void orderAsSeen(QWidget& page) {
    QList<QWidget*> stops;
    addStops(page, stops);
    for (qsizetype i = 1; i < stops.size(); ++i) {
        QWidget::setTabOrder(stops[i - 1], stops[i]);
    }
}

}  // namespace

Page::Page(const QString& title, const QSize& room, QWidget* parent)
    : QWidget(parent), leastHeight_(room.height()) {
    setProperty("kind", "page");
    setAttribute(Qt::WA_StyledBackground);
    QVBoxLayout* column = makeColumn(this, {}, 0);
    auto* header = new QFrame(this);
    header_ = header;
    header->setProperty("kind", "pageheader");
    header->setFixedHeight(pageHeaderHeight);
    title_ = makeRow(header, {16, 0, 16, 0}, 12);
    title_->addWidget(makeLabel(title, "pagetitle"));
    subtitle_ = new ElidedLabel;
    subtitle_->setProperty("kind", "subtitle");
    title_->addWidget(subtitle_, 1);
    actions_ = makeRow(nullptr, {}, 8);
    title_->addLayout(actions_);
    column->addWidget(header);
    auto* content = new LeastHeight;
    content->setLeast(room.height());
    body_ = makeColumn(content, {}, 0);
    body_->addStrut(room.width());  // or what the parts need, if that is more
    scroll_ = makeScrolled(content);
    column->addWidget(scroll_, 1);
}

QList<QWidget*> Page::regions() const {
    QList<QWidget*> panels;
    for (QFrame* frame : findChildren<QFrame*>()) {
        const bool within =
            std::ranges::any_of(panels, [&](const QWidget* panel) { return panel->isAncestorOf(frame); });
        if (isRegion(*frame) && frame->isVisible() && !within) {
            panels << frame;
        }
    }
    // By column within a row: panels side by side start at one height.
    std::ranges::stable_sort(panels, {}, [this](const QWidget* panel) {
        const QPoint at = panel->mapTo(this, QPoint());
        return std::pair(at.y(), at.x());
    });
    if (panels.isEmpty()) {
        panels << body_->parentWidget();  // an empty page offers its next step
    }
    panels.prepend(header_);
    return panels;
}

bool Page::focusNextPrevChild(bool next) {
    QWidget* focus = window()->focusWidget();
    const bool gone = focus != nullptr && isAncestorOf(focus) && !(focus->isVisible() && focus->isEnabled());
    if (!gone || !isVisible()) {
        orderAsSeen(*this);
        return QWidget::focusNextPrevChild(next);
    }
    // To the page's list, where its keys are wanted, before a chart that happens to come next.
    QWidget* heir = nullptr;
    for (QWidget* widget = focus->nextInFocusChain(); widget != focus; widget = widget->nextInFocusChain()) {
        if (!isAncestorOf(widget) || !takesFocus(*widget) || !isNeutral(*widget)) {
            continue;
        }
        const bool isList = qobject_cast<QAbstractItemView*>(widget) != nullptr;
        heir = isList || heir == nullptr ? widget : heir;
        if (isList) {
            break;
        }
    }
    if (heir != nullptr) {
        heir->setFocus(Qt::OtherFocusReason);
    } else {
        focus->clearFocus();
    }
    return true;
}

void Page::setSubtitle(const QString& text) {
    subtitle_->setText(text);
}

void Page::addAction(QWidget* widget) {
    actions_->addWidget(widget);
}

Drawer& Page::addDrawer(QBoxLayout& row, QWidget& panel, Drawer::Side side, const QString& icon,
                        const QString& name) {
    QToolButton* button = makeIconButton(icon, name);
    title_->insertWidget(side == Drawer::Side::Left ? 0 : title_->count(), button);
    auto* drawer = new Drawer(*this, row, panel, side, *button);
    drawers_ << drawer;
    return *drawer;
}

void Page::scrollToTop() {
    scroll_->verticalScrollBar()->setValue(0);
    scroll_->horizontalScrollBar()->setValue(0);
}

int Page::bodyWidth() const {
    const bool scrolls = height() - header_->height() < leastHeight_;
    return width() - (scrolls ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0);
}

void Page::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    narrow_ = width() < scaled(drawersBelow);
    for (Drawer* drawer : drawers_) {
        drawer->setNarrow(narrow_, header_->height());
    }
}

QVBoxLayout* Page::roomyBody() {
    body_->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    body_->setSpacing(pageSpacing);
    return body_;
}

void setEntry(QWidget& region, QWidget& entry) {
    region.setProperty(entryName, QVariant::fromValue(&entry));
}

QWidget* entryOf(QWidget& region) {
    if (!region.isVisible()) {
        return nullptr;
    }
    // A button of an exclusive group has its Tab stop only once it has had the focus.
    auto* entry = region.property(entryName).value<QWidget*>();
    if (entry != nullptr && entry->isVisible() && entry->isEnabled()) {
        return entry;
    }
    QWidget* widget = &region;
    do {
        if ((widget == &region || region.isAncestorOf(widget)) && takesFocus(*widget)) {
            return widget;
        }
        widget = widget->nextInFocusChain();
    } while (widget != &region);
    return nullptr;
}

void focusRegion(const QList<QWidget*>& regions, int step) {
    const auto count = regions.size();
    qsizetype now = step > 0 ? -1 : count;
    for (qsizetype i = 0; i < count; ++i) {
        if (hasFocus(*regions[i])) {
            now = i;
        }
    }
    for (qsizetype tried = 0; tried < count; ++tried) {
        now = (now + step + count) % count;
        if (QWidget* entry = entryOf(*regions[now])) {
            entry->setFocus(step > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return;
        }
    }
}

}  // namespace dlperf::ui
