// SPDX-License-Identifier: Apache-2.0
// The small parts that pages are put together from. Their looks stand in resources/theme/dashboard.qss, by
// the dynamic property "kind".
//
// What is to hold others is made inside its parent and filled there. Qt styles and measures all that a widget
// holds anew whenever it moves to another parent: a page that was put together from the inside outwards took
// four times as long.
#pragma once

#include <QDialogButtonBox>
#include <QFrame>
#include <QIcon>
#include <QLayout>
#include <QMargins>
#include <QMessageBox>
#include <QScrollArea>
#include <QString>
#include <QWidget>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace dlperf::ui {

// Text is shown as it is (no markup), whatever it holds.
[[nodiscard]] QLabel* makeLabel(const QString& text, const char* kind = nullptr);
// The same, broken into lines where it is wider than its place.
[[nodiscard]] QLabel* makeText(const QString& text, const char* kind = nullptr);
// An icon as a label; it follows the theme.
[[nodiscard]] QLabel* makeIcon(const QString& name, const char* state, int size = 16);
// A word in a coloured box behind the icon of its state: "ok", "warn", "fail".
[[nodiscard]] QFrame* makeStateTag(const QString& text, const char* state);
// What a dialog shows, from top to bottom.
[[nodiscard]] QVBoxLayout* makeDialogColumn(QDialog* dialog);
// The buttons below it, which end it, without the icons that the desktop's style gives them.
[[nodiscard]] QDialogButtonBox* makeDialogButtons(QDialogButtonBox::StandardButtons standard,
                                                  QDialog* dialog);
// A text with such buttons, for open(); it deletes itself when it is closed.
[[nodiscard]] QMessageBox* makeMessage(const QString& title, const QString& text,
                                       QMessageBox::StandardButtons standard, QWidget* parent);
// Asks for a file or a folder that there is, and goes on with it unless the user gives up.
using UsePath = std::function<void(const std::filesystem::path& path)>;
void askForFile(QWidget* parent, const QString& title, const QString& kinds, const UsePath& use);
void askForFolder(QWidget* parent, const QString& title, const UsePath& use);
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

// To the clipboard.
void copyText(const QString& text);

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
// The same from a click of one of its own widgets: they are deleted when the click is over.
void emptyLayoutAfterClick(QLayout* layout);

// Content that scrolls where it has too little room, with the ground behind showing through.
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

// The layout of a widget, or one to be added to another layout. Without a spacing it has the style's.
QHBoxLayout* makeRow(QWidget* host = nullptr, const QMargins& margins = {}, int spacing = -1);
QVBoxLayout* makeColumn(QWidget* host = nullptr, const QMargins& margins = {}, int spacing = -1);

// In place of a page's content: what is missing, and the next step.
[[nodiscard]] QWidget* makeEmptyPage(QWidget* parent, const QString& heading, const QString& text,
                                     QPushButton* next);

// Text to read and to copy, in the letters of code; long lines are not broken and Tab leaves it.
[[nodiscard]] QPlainTextEdit* makeCodeView(const QString& name);

// A number that is typed, in as narrow a place as there is.
[[nodiscard]] QSpinBox* makeNumberField(int low, int high);

// Filters what stands below it.
[[nodiscard]] QLineEdit* makeFilterField(const QString& name);

// What is wrong with the fields above it.
class ProblemLine final : public QWidget {
public:
    explicit ProblemLine(QWidget* parent);
    void showProblem(const QString& text);  // empty: nothing is wrong

private:
    QLabel* text_;
};

// The key of a framework as a widget: line and marker in its colour.
class KeySign final : public QWidget {
    Q_OBJECT

public:
    // fill: see frameworkStyle(); 1 is hollow, for what is not the main implementation of the framework.
    explicit KeySign(std::string framework = {}, int fill = 0, QWidget* parent = nullptr);
    void setFramework(const std::string& framework, int fill);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::string framework_;
    int fill_;
};

class FlowLayout final : public QLayout {
public:
    FlowLayout(QWidget* parent, int horizontal, int vertical);

    void addItem(QLayoutItem* item) override { items_.emplace_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int arrange(const QRect& rect, bool apply) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    int horizontal_;
    int vertical_;
};

}  // namespace dlperf::ui
