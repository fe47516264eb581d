// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/fact_grid.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

#include "ui/widgets/parts.h"

namespace dlperf::ui {

FactGrid::FactGrid(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(14, 12, 14, 12);
    grid_->setHorizontalSpacing(24);
    grid_->setVerticalSpacing(8);
    grid_->setColumnStretch(1, 1);
}

// The same facts again leave a selection alone.
void FactGrid::setFacts(const Facts& facts, const QString& word) {
    if (facts == shown_ && word == word_) {
        return;
    }
    shown_ = facts;
    word_ = word;
    emptyLayout(grid_);
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
    if (facts.empty()) {
        QLabel* nothing = makeLabel(word, "secondary");
        nothing->setWordWrap(true);
        grid_->addWidget(nothing, row++, 0, 1, 2);
    }
    // The room that is left stands below the facts, not between them.
    const int rows = std::max(grid_->rowCount(), row + 1);
    for (int i = 0; i < rows; ++i) {
        grid_->setRowStretch(i, i == row ? 1 : 0);
    }
}

}  // namespace dlperf::ui
