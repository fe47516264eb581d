// SPDX-License-Identifier: Apache-2.0
#include "ui/models/nodes_model.h"

#include <algorithm>
#include <array>

#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/theme/plain_tip.h"

namespace dlperf::ui {
namespace {

QString orMissing(const std::string& text) {
    return text.empty() ? missing : QString::fromStdString(text);
}

bool isFigure(int column) {
    return column != NodesModel::Status && column != NodesModel::Name && column != NodesModel::Devices;
}

}  // namespace

NodeSign signOf(const NodeEntry& entry) {
    switch (entry.state) {
        case NodeState::NotChecked:
            return {QStringLiteral("info"), Ink::Idle, NodesModel::tr("Not checked")};
        case NodeState::Checking:
            return {QStringLiteral("state-running"), Ink::Info, NodesModel::tr("Checking")};
        case NodeState::NotReached:
            return {QStringLiteral("state-fail"), Ink::Fail, NodesModel::tr("Not reached")};
        case NodeState::Checked:
            break;
    }
    if (const int failed = entry.count(cluster::Verdict::Failed); failed > 0) {
        return {
            QStringLiteral("state-fail"), Ink::Fail,
            failed == 1 ? NodesModel::tr("1 check failed") : NodesModel::tr("%1 checks failed").arg(failed)};
    }
    if (const int warned = entry.count(cluster::Verdict::Warning); warned > 0) {
        return {QStringLiteral("state-warn"), Ink::Warn,
                warned == 1 ? NodesModel::tr("Ready, 1 warning")
                            : NodesModel::tr("Ready, %1 warnings").arg(warned)};
    }
    return {QStringLiteral("state-ok"), Ink::Ok, NodesModel::tr("Ready")};
}

QString devicesText(const NodeEntry& entry) {
    if (!entry.facts) {
        return entry.node.devices ? QString::number(*entry.node.devices) : QString();
    }
    const int devices = entry.facts->devices(entry.node);
    if (entry.facts->gpus.empty()) {
        return devices == 1 ? NodesModel::tr("1 CPU process")
                            : NodesModel::tr("%1 CPU processes").arg(devices);
    }
    return QStringLiteral("%1 × %2").arg(devices).arg(QString::fromStdString(entry.facts->gpus.front().name));
}

QString interfaceText(const NodeEntry& entry) {
    if (!entry.node.interface.empty()) {
        return QString::fromStdString(entry.node.interface);
    }
    return entry.node.local ? QStringLiteral("lo") : QString();
}

NodesModel::NodesModel(const NodeList& nodes, QObject* parent) : QAbstractTableModel(parent), nodes_(nodes) {
    rows_ = static_cast<int>(nodes.entries().size());
    connect(&nodes, &NodeList::listChanged, this, &NodesModel::followList);
    connect(&nodes, &NodeList::entryChanged, this, &NodesModel::followEntry);
}

void NodesModel::followList() {
    beginResetModel();
    rows_ = static_cast<int>(nodes_.entries().size());
    endResetModel();
}

void NodesModel::followEntry(std::size_t entry) {
    const int row = static_cast<int>(entry);
    if (row < rows_) {
        emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
}

int NodesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int NodesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString NodesModel::text(const NodeEntry& entry, int column) const {
    const cluster::NodeFacts* facts = entry.facts ? &*entry.facts : nullptr;
    switch (column) {
        case Status:
            return signOf(entry).text;
        case Name:
            return QString::fromStdString(entry.node.name);
        case Address:
            return entry.node.local
                       ? tr("local")
                       : QString::fromStdString(entry.node.host) +
                             (entry.node.port ? QStringLiteral(":%1").arg(*entry.node.port) : QString());
        case Devices:
            return devicesText(entry).isEmpty() ? missing : devicesText(entry);
        case Driver:
            return orMissing(facts != nullptr ? facts->driver : std::string());
        case Cuda:
            return orMissing(facts != nullptr ? facts->cuda : std::string());
        case Nccl:
            return orMissing(facts != nullptr ? facts->nccl : std::string());
        case Interface:
            return interfaceText(entry).isEmpty() ? missing : interfaceText(entry);
        case LastCheck:
            return entry.state == NodeState::Checking ? tr("now")
                   : entry.asked.isValid()            ? entry.asked.toString(QStringLiteral("HH:mm:ss"))
                                                      : tr("never");
        default:
            return {};
    }
}

QVariant NodesModel::raw(const NodeEntry& entry, int column) {
    if (column == LastCheck) {
        return entry.asked;
    }
    if (column == Devices) {
        return entry.facts ? entry.facts->devices(entry.node) : entry.node.devices.value_or(0);
    }
    return {};
}

QVariant NodesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= nodes_.entries().size()) {
        return {};
    }
    const NodeEntry& entry = nodes_.entries()[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text(entry, column);
        case rawRole: {
            const QVariant value = raw(entry, column);
            return value.isValid() ? value : QVariant(text(entry, column));
        }
        case Qt::DecorationRole:
            return column == Status ? QVariant(icon(signOf(entry).icon, signOf(entry).ink)) : QVariant();
        case Qt::ForegroundRole:
            return column == Status && signOf(entry).ink == Ink::Fail ? QVariant(currentTheme().fail.text)
                                                                      : QVariant();
        case Qt::FontRole:
            return isFigure(column) ? monoFont()
                   : column == Name ? textFont(size::body, QFont::DemiBold)
                                    : textFont();
        case Qt::ToolTipRole:
            return entry.state == NodeState::NotReached
                       ? plainTip(QString::fromStdString(describe(entry.error)))
                       : QVariant();
        case Qt::TextAlignmentRole:
            return static_cast<int>((column == LastCheck ? Qt::AlignRight : Qt::AlignLeft) |
                                    Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant NodesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((section == LastCheck ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, ColumnCount> titles{tr("Status"),  tr("Name"),      tr("Address"),
                                                  tr("Devices"), tr("Driver"),    tr("CUDA"),
                                                  tr("NCCL"),    tr("Interface"), tr("Last check")};
    return titles[static_cast<std::size_t>(section)];
}

}  // namespace dlperf::ui
