// SPDX-License-Identifier: Apache-2.0
// One of the five sections: a header with title, what it is about and its actions, and a body.
#pragma once

#include <QList>
#include <QWidget>

#include "ui/widgets/drawer.h"

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace dlperf::ui {

class Page : public QWidget {
    Q_OBJECT

public:
    // `room` is the least that the body needs without what is drawn in; a smaller window scrolls it.
    Page(const QString& title, const QSize& room, QWidget* parent = nullptr);

    // The page opens: puts the focus on its first useful control.
    virtual void enter() {}
    // Ctrl+Return.
    virtual void primaryAction() {}
    // What F6 goes through: the header, then the panels as they are read.
    [[nodiscard]] virtual QList<QWidget*> regions() const;

protected:
    // A control that vanishes or is disabled under the focus gives it to the next one that is no
    // button and no text field: a neighbour may be "Cancel all", and the next key press would trigger that.
    bool focusNextPrevChild(bool next) override;
    void setSubtitle(const QString& text);
    // Right side of the header.
    void addAction(QWidget* widget);
    // Where the page is narrow the panel becomes a drawer, whose button stands at its side of the header.
    Drawer& addDrawer(QBoxLayout& row, QWidget& panel, Drawer::Side side, const QString& icon,
                      const QString& name);
    [[nodiscard]] bool hasDrawersIn() const { return narrow_; }
    // What the body has of the page's width beside the bar that scrolls it.
    [[nodiscard]] int bodyWidth() const;
    // Other content begins at its top, wherever the focus goes in it.
    void scrollToTop();
    void resizeEvent(QResizeEvent* event) override;
    // Below the header, without margins.
    QVBoxLayout* body() const { return body_; }
    // The body as a column with the page's margin and spacing.
    QVBoxLayout* roomyBody();

private:
    QWidget* header_;
    QLabel* subtitle_;
    QHBoxLayout* title_;
    QHBoxLayout* actions_;
    QVBoxLayout* body_;
    QScrollArea* scroll_;
    QList<Drawer*> drawers_;
    bool narrow_ = false;
    int leastHeight_;  // of the body
};

// What of the region takes the focus when somebody comes to it: the entry, else the first in the order of
// Tab, or nothing. No focus proxy: that takes every Tab that comes by, and what stands before it is never
// reached.
void setEntry(QWidget& region, QWidget& entry);
[[nodiscard]] QWidget* entryOf(QWidget& region);

// F6: focuses the next region (step 1) or the one before (-1), past those that take no focus.
void focusRegion(const QList<QWidget*>& regions, int step);

}  // namespace dlperf::ui
