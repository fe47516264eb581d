// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/flow_layout.h"

#include <algorithm>

namespace dlperf::ui {

FlowLayout::FlowLayout(QWidget* parent, int horizontal, int vertical)
    : QLayout(parent), horizontal_(horizontal), vertical_(vertical) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

int FlowLayout::count() const {
    return static_cast<int>(items_.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) {
        return nullptr;
    }
    const auto position = items_.begin() + index;
    QLayoutItem* item = position->release();
    items_.erase(position);
    return item;  // the caller owns it, as QLayout has it
}

int FlowLayout::heightForWidth(int width) const {
    return arrange(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : items_) {
        size = size.expandedTo(item->minimumSize());
    }
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

QSize FlowLayout::sizeHint() const {
    int width = 0;
    int height = 0;
    for (const auto& item : items_) {
        width += item->sizeHint().width() + horizontal_;
        height = std::max(height, item->sizeHint().height());
    }
    return {width, height};
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool apply) const {
    const QRect room = rect.marginsRemoved(contentsMargins());
    int x = room.x();
    int y = room.y();
    int row = 0;
    for (const auto& item : items_) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize size = item->sizeHint();
        if (x > room.x() && x + size.width() > room.x() + room.width()) {
            x = room.x();
            y += row + vertical_;
            row = 0;
        }
        if (apply) {
            item->setGeometry(QRect(QPoint(x, y), size));
        }
        x += size.width() + horizontal_;
        row = std::max(row, size.height());
    }
    return y + row - rect.y() + contentsMargins().bottom();
}

}  // namespace dlperf::ui
