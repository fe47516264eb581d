// SPDX-License-Identifier: Apache-2.0
// What several pages and dialogs set up alike.
#pragma once

#include <QMargins>
#include <QWidget>

class QAbstractItemModel;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace dlperf::ui {

// The layout of a widget, or one to be added to another layout. Without a spacing it has the style's.
[[nodiscard]] QHBoxLayout* makeRow(QWidget* host, const QMargins& margins, int spacing = -1);
[[nodiscard]] QVBoxLayout* makeColumn(QWidget* host, const QMargins& margins, int spacing = -1);

// In place of a page's content: what is missing, and the next step.
[[nodiscard]] QWidget* makeEmptyPage(QWidget* parent, const QString& heading, const QString& text,
                                     QPushButton* next);

// Text to read and to copy, in the letters of code; long lines are not broken and Tab leaves it.
[[nodiscard]] QPlainTextEdit* makeCodeView(const QString& name);

// Filters what stands below it.
[[nodiscard]] QLineEdit* makeFilterField(const QString& name);

// A table to read whose rows are one thing each. rowHeight: px at 100 %.
[[nodiscard]] QTableView* makeRowsTable(QAbstractItemModel* model, const QString& name, int rowHeight);

// What is wrong with the fields above it.
class ProblemLine final : public QWidget {
public:
    explicit ProblemLine(QWidget* parent);
    void showProblem(const QString& text);  // empty: nothing is wrong

private:
    QLabel* text_;
};

}  // namespace dlperf::ui
