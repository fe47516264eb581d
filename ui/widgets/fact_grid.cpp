// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/fact_grid.h"

#include <QGridLayout>
#include <QLabel>

#include "ui/widgets/parts.h"

namespace dlperf::ui {

FactGrid::FactGrid(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    setProperty("kind", "clear");
    grid_->setContentsMargins(14, 12, 14, 12);
    grid_->setHorizontalSpacing(24);
    grid_->setVerticalSpacing(8);
    grid_->setColumnStretch(1, 1);
}

// The same facts again leave a selection alone.
void FactGrid::setFacts(const Facts& facts) {
    if (facts == shown_) {
        return;
    }
    shown_ = facts;
    while (QLayoutItem* old = grid_->takeAt(0)) {
        delete old->widget();
        delete old;
    }
    int row = 0;
    for (const auto& [name, value] : facts) {
        if (value.isEmpty()) {
            continue;
        }
        grid_->addWidget(makeLabel(name, "secondary"), row, 0, Qt::AlignTop);
        QLabel* text = makeLabel(value, "mono");
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        text->setFocusPolicy(Qt::ClickFocus);  // not a Tab stop for each
        grid_->addWidget(text, row++, 1);
    }
    grid_->setRowStretch(row, 1);
}

}  // namespace dlperf::ui
