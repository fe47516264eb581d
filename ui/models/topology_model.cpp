// SPDX-License-Identifier: Apache-2.0
#include "ui/models/topology_model.h"

#include <algorithm>

namespace dlperf::ui {
namespace {

QString nvLinkWords(int count) {
    switch (count) {
        case 1:
            return TopologyModel::tr("one NVLink");
        case 2:
            return TopologyModel::tr("two NVLinks");
        default:
            return TopologyModel::tr("%1 NVLinks").arg(count);
    }
}

}  // namespace

QString linkWords(const cluster::LinkCell& cell) {
    switch (cell.link) {
        case cluster::Link::Self:
            return TopologyModel::tr("itself");
        case cluster::Link::NvLink:
            return nvLinkWords(cell.nvLinks);
        case cluster::Link::Pix:
            return TopologyModel::tr("one PCIe switch");
        case cluster::Link::Pxb:
            return TopologyModel::tr("several PCIe switches");
        case cluster::Link::Phb:
            return TopologyModel::tr("a PCIe host bridge");
        case cluster::Link::Node:
            return TopologyModel::tr("across PCIe hosts");
        case cluster::Link::Sys:
            return TopologyModel::tr("across CPU sockets");
        case cluster::Link::Other:
            return TopologyModel::tr("a link this version does not know");
    }
    return {};
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
