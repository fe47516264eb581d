// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/scrolled.h"

namespace dlperf::ui {

QScrollArea* makeScrolled(QWidget* content, ScrollBars bars) {
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    if (bars == ScrollBars::VerticalOnly) {
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    scroll->viewport()->setAutoFillBackground(false);
    content->setProperty("kind", "clear");
    scroll->setWidget(content);
    return scroll;
}

}  // namespace dlperf::ui
