// SPDX-License-Identifier: Apache-2.0
// A side panel of a page. Where the page is narrow it leaves its row, and a button lays it over the page
// until Esc or a click beside it.
#pragma once

#include <QObject>

class QBoxLayout;
class QScrollArea;
class QToolButton;
class QWidget;

namespace dlperf::ui {

class Drawer final : public QObject {
    Q_OBJECT

public:
    enum class Side { Left, Right };

    // The panel is the first or the last of the row. The checkable button is shown while the page is narrow.
    Drawer(QWidget& page, QBoxLayout& row, QWidget& panel, Side side, QToolButton& button);

    // `top`: px below the page's own top that an open drawer leaves free.
    void setNarrow(bool narrow, int top);
    // Whether the page has use for the panel now: else neither panel nor button is there.
    void setOffered(bool offered);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(bool open);
    void place();

    QWidget& page_;
    QBoxLayout& row_;
    QWidget& panel_;
    Side side_;
    QToolButton& button_;
    QScrollArea* room_;  // over the page, where the panel is while the page is narrow
    int top_ = 0;
    bool narrow_ = false;
    bool offered_ = true;
};

}  // namespace dlperf::ui
