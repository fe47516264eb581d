// SPDX-License-Identifier: Apache-2.0
// What stands in a scroll area, with charts and tables that can shrink. A text that wraps makes the area ask
// for a height at its width: the answer is what the parts need, not what they would like, or a banner alone
// would make a page scroll.
#pragma once

#include <QLayout>
#include <QWidget>
#include <algorithm>

namespace dlperf::ui {

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
