// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/topology_grid.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/models/topology_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr QSize cellSize(59, 39);
constexpr int adapterGap = 4;  // before the network cards
constexpr int titleWidth = 62;
constexpr int titleHeight = 26;
constexpr int coresWidth = 96;
constexpr double radius = 3;

class CellDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const auto& model = static_cast<const TopologyModel&>(*index.model());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.column() >= model.deviceCount()) {
            painter->setPen(currentTheme().text2);
            painter->setFont(textFont(size::secondary));
            painter->drawText(option.rect.adjusted(12, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                              index.data().toString());
        } else {
            paintCell(*painter, option, index, model.firstAdapter());
        }
        painter->restore();
    }

private:
    static void paintCell(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                          int firstAdapter) {
        const LinkStyle style = linkStyle(index.data(TopologyModel::LinkRole).toInt(),
                                          index.data(TopologyModel::NvLinksRole).toInt());
        const int left = index.column() == firstAdapter ? adapterGap : 0;
        const int top = index.row() == firstAdapter ? adapterGap : 0;
        const QRectF cell = QRectF(option.rect).adjusted(left + 1, top + 1, -1, -1);
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.fill);
        painter.drawRoundedRect(cell, radius, radius);
        if (option.state & QStyle::State_Selected) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(currentTheme().focus, 2));
            painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), radius, radius);
            painter.setPen(QPen(currentTheme().panel, 2));
            painter.drawRoundedRect(cell.adjusted(3, 3, -3, -3), radius, radius);
        }
        painter.setPen(style.text);
        painter.setFont(textFont(size::secondary, QFont::Medium));
        painter.drawText(cell, Qt::AlignCenter, index.data().toString());
    }
};

}  // namespace

TopologyGrid::TopologyGrid(TopologyModel& model, QWidget* parent) : QTableView(parent), model_(model) {
    setModel(&model);
    setItemDelegate(new CellDelegate(this));
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setProperty("kind", "grid");
    setAccessibleName(tr("Topology of GPUs and network cards"));
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setHighlightSections(false);
        header->setSectionsClickable(false);
        header->setMinimumSectionSize(1);
    }
    setCornerButtonEnabled(false);
    horizontalHeader()->setFixedHeight(scaled(titleHeight));
    connect(&model, &QAbstractItemModel::modelReset, this, &TopologyGrid::layOut);
    layOut();
}

void TopologyGrid::layOut() {
    const int devices = model_.deviceCount();
    const int gapAt = model_.firstAdapter();
    verticalHeader()->setFixedWidth(scaled(titleWidth));
    for (int i = 0; i < devices; ++i) {
        const int gap = i == gapAt ? adapterGap : 0;
        setColumnWidth(i, scaled(cellSize.width()) + gap);
        setRowHeight(i, scaled(cellSize.height()) + gap);
    }
    if (devices > 0) {
        setColumnWidth(devices, scaled(coresWidth));
    }
}

void TopologyGrid::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    emit pairChosen(current.row(), current.column());
}

void TopologyGrid::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
        layOut();
    }
}

}  // namespace dlperf::ui
