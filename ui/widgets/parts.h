// SPDX-License-Identifier: Apache-2.0
// The small parts that pages are put together from. Their looks stand in resources/theme/dashboard.qss, by
// the dynamic property "kind".
//
// What is to hold others is made inside its parent and filled there. Qt styles and measures all that a widget
// holds anew whenever it moves to another parent: a page that was put together from the inside outwards took
// four times as long.
#pragma once

#include <QFrame>
#include <QIcon>
#include <QLayout>
#include <QScrollArea>
#include <QString>
#include <QWidget>
#include <algorithm>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace dlperf::ui {

// Text is shown as it is (no markup), whatever it holds.
[[nodiscard]] QLabel* makeLabel(const QString& text, const char* kind = nullptr);
// An icon as a label; it follows the theme.
[[nodiscard]] QLabel* makeIcon(const QString& name, const char* state, int size = 16);
// A word in a coloured box behind the icon of its state: "ok", "warn", "fail".
[[nodiscard]] QFrame* makeStateTag(const QString& text, const char* state);
// kind: nullptr, "primary", "destructive", "link"
[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& iconName = {},
                                      const char* kind = nullptr);
[[nodiscard]] QPushButton* makeSmallButton(const QString& text, const QString& iconName = {},
                                           const char* kind = nullptr);
// An icon alone; the name is its tool tip and its name for screen readers.
[[nodiscard]] QToolButton* makeIconButton(const QString& iconName, const QString& name);
// The magnifier before the text of a field that searches or filters.
void addSearchIcon(QLineEdit& field);
[[nodiscard]] QToolButton* makeChip(const QString& text, bool checked);
[[nodiscard]] QFrame* makeSeparator();
[[nodiscard]] QFrame* makeVerticalSeparator();

// As wide as the text needs it, also after the font size was set anew. `px` is the width at 100 %.
void setScaledWidth(QWidget* widget, int px);
// Lets the style sheet look at a changed property again.
void restyle(QWidget* widget);
void setState(QWidget* widget, const char* state);

// A bordered white box; its layout has no margins.
class Panel : public QFrame {
public:
    explicit Panel(QWidget* parent = nullptr);
    QVBoxLayout* body() const { return body_; }

    // A row with a line below or above it; title and unit may be empty. Widgets are added to the right.
    QHBoxLayout* addHeader(const QString& title, const QString& unit = {});
    QHBoxLayout* addFooter();
    void setTitle(const QString& title, const QString& unit);

private:
    QVBoxLayout* body_;
    QLabel* title_ = nullptr;
    QLabel* unit_ = nullptr;
};

// What a layout shows is made anew: everything in it goes first. Layouts within it are not looked into.
void emptyLayout(QLayout* layout);
// The same where one of its own widgets may have asked for it: they are hidden now and deleted when its click
// is over.
void emptyLayoutAfterClick(QLayout* layout);

// Content that scrolls where it has too little room. The bars are no stop of the keyboard, and the ground
// behind shows through.
enum class ScrollBars { Both, VerticalOnly };  // VerticalOnly: the content is as wide as its place

[[nodiscard]] QScrollArea* makeScrolled(QWidget* content, ScrollBars bars = ScrollBars::Both);

// What stands in a scroll area, with charts and tables that can shrink. A text that wraps makes the area ask
// for a height at its width: the answer is what the parts need, not what they would like, or a banner alone
// would make a page scroll.
class LeastHeight final : public QWidget {
public:
    using QWidget::QWidget;

    // px, at any width. Not a minimum height of the widget: that would hide how much more the parts need.
    void setLeast(int height) { least_ = height; }

    int heightForWidth(int width) const override {
        return std::max(least_, layout()->totalMinimumHeightForWidth(width));
    }
    QSize minimumSizeHint() const override { return QWidget::minimumSizeHint().expandedTo({0, least_}); }

private:
    int least_ = 0;
};

}  // namespace dlperf::ui
