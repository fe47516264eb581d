// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/empty_layout.h"

#include <QLayout>
#include <QWidget>
#include <memory>

namespace dlperf::ui {

void emptyLayout(QLayout* layout) {
    while (const std::unique_ptr<QLayoutItem> item{layout->takeAt(0)}) {
        delete item->widget();
    }
}

void emptyLayoutAfterClick(QLayout* layout) {
    while (const std::unique_ptr<QLayoutItem> item{layout->takeAt(0)}) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
    }
}

}  // namespace dlperf::ui
