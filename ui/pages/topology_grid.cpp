// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_details.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <array>

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
        const int beside = i == gapAt ? adapterGap : 0;
        setColumnWidth(i, scaled(cellSize.width()) + beside);
        setRowHeight(i, scaled(cellSize.height()) + beside);
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

// In the order of cluster::Link.
QString linkWords(const cluster::LinkCell& cell) {
    const std::array<QString, 8> words{TopologyModel::tr("itself"),
                                       cell.nvLinks == 1 ? TopologyModel::tr("one NVLink")
                                       : cell.nvLinks == 2
                                           ? TopologyModel::tr("two NVLinks")
                                           : TopologyModel::tr("%1 NVLinks").arg(cell.nvLinks),
                                       TopologyModel::tr("one PCIe switch"),
                                       TopologyModel::tr("several PCIe switches"),
                                       TopologyModel::tr("a PCIe host bridge"),
                                       TopologyModel::tr("across PCIe hosts"),
                                       TopologyModel::tr("across CPU sockets"),
                                       TopologyModel::tr("a link this version does not know")};
    return words.at(static_cast<std::size_t>(cell.link));
}

QString linkSentence(const cluster::TopologyMatrix& matrix, int row, int column) {
    const auto from = static_cast<std::size_t>(row);
    const auto to = static_cast<std::size_t>(column);
    if (from >= matrix.devices.size() || to >= matrix.devices.size() || from == to) {
        return {};
    }
    return TopologyModel::tr("%1 to %2: %3.")
        .arg(QString::fromStdString(matrix.devices[from].title()),
             QString::fromStdString(matrix.devices[to].title()), linkWords(matrix.cells[from][to]));
}

void TopologyModel::setMatrix(const cluster::TopologyMatrix& matrix) {
    beginResetModel();
    matrix_ = matrix;
    endResetModel();
}

int TopologyModel::firstAdapter() const {
    const auto found =
        std::ranges::find_if(matrix_.devices, [](const auto& device) { return !device.isGpu(); });
    return static_cast<int>(found - matrix_.devices.begin());
}

int TopologyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : deviceCount();
}

int TopologyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || matrix_.devices.empty() ? 0 : deviceCount() + 1;
}

QVariant TopologyModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= deviceCount()) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    if (index.column() >= deviceCount()) {
        return role == Qt::DisplayRole ? QString::fromStdString(matrix_.devices[row].cpuAffinity)
                                       : QVariant();
    }
    const cluster::LinkCell& cell = matrix_.cells[row][static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(cell.text);
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return linkSentence(matrix_, index.row(), index.column());
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignCenter);
        case LinkRole:
            return static_cast<int>(cell.link);
        case NvLinksRole:
            return cell.nvLinks;
        default:
            return {};
    }
}

QVariant TopologyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(orientation == Qt::Horizontal ? Qt::AlignCenter
                                                              : Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return section < deviceCount()
               ? QString::fromStdString(matrix_.devices[static_cast<std::size_t>(section)].title())
               : tr("CPU cores");
}

}  // namespace dlperf::ui
