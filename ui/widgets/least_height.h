// SPDX-License-Identifier: Apache-2.0
// What stands in a scroll area, with charts and tables that can shrink. A text that wraps makes the area ask
// for a height at its width: the answer is what the parts need, not what they would like, or a banner alone
// would make a page scroll.
#pragma once

#include <QLayout>
#include <QWidget>

namespace dlperf::ui {

class LeastHeight final : public QWidget {
public:
    using QWidget::QWidget;

    int heightForWidth(int width) const override { return layout()->totalMinimumHeightForWidth(width); }
};

}  // namespace dlperf::ui
