// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/regions.h"

#include <QApplication>
#include <QWidget>

namespace dlperf::ui {
namespace {

bool takesFocus(const QWidget& widget) {
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0;
}

bool hasFocus(const QWidget& region) {
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && (focus == &region || region.isAncestorOf(focus));
}

}  // namespace

QWidget* entryOf(QWidget& region) {
    if (!region.isVisible()) {
        return nullptr;
    }
    if (QWidget* proxy = region.focusProxy(); proxy != nullptr && takesFocus(*proxy)) {
        return proxy;
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
