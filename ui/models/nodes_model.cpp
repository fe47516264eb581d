// SPDX-License-Identifier: Apache-2.0
#include "ui/models/nodes_model.h"

#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

QString orMissing(const QString& text) {
    return text.isEmpty() ? missing : text;
}

QString addressText(const NodeEntry& entry) {
    if (entry.node.seat) {
        return orMissing(entry.jobHost);
    }
    return entry.node.local ? NodesModel::tr("local")
                            : QString::fromStdString(entry.node.host) +
                                  (entry.node.port ? QStringLiteral(":%1").arg(*entry.node.port) : QString());
}

QString lastCheckText(const NodeEntry& entry) {
    return entry.state == NodeState::Checking ? NodesModel::tr("now")
           : entry.asked.isValid()            ? entry.asked.toString(QStringLiteral("HH:mm:ss"))
                                              : NodesModel::tr("never");
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

NodesModel::NodesModel(const NodeList& nodes, QObject* parent) : ColumnsModel(parent), nodes_(nodes) {
    rows_ = static_cast<int>(nodes.entries().size());
    describeColumns();
    connect(&nodes, &NodeList::listChanged, this, &NodesModel::followList);
    connect(&nodes, &NodeList::entryChanged, this, &NodesModel::followEntry);
}

void NodesModel::describeColumns() {
    const auto found = [](const QString& title, std::string cluster::NodeFacts::*fact) {
        return ColumnsModel::Column{
            .title = title,
            .text =
                [fact](const NodeEntry& entry) {
                    return orMissing(entry.facts ? QString::fromStdString((*entry.facts).*fact) : QString());
                },
            .mono = true};
    };
    setColumns({{.title = tr("Status"),
                 .text = [](const NodeEntry& entry) { return signOf(entry).text; },
                 .tip =
                     [](const NodeEntry& entry) {
                         return entry.state == NodeState::NotReached ? localized(describe(entry.error))
                                                                     : QString();
                     }},
                {tr("Name"), [](const NodeEntry& entry) { return QString::fromStdString(entry.node.name); }},
                {.title = tr("Address"), .text = addressText, .mono = true},
                {.title = tr("Devices"),
                 .text = [](const NodeEntry& entry) { return orMissing(devicesText(entry)); },
                 .order =
                     [](const NodeEntry& entry) {
                         return QVariant(entry.facts ? entry.facts->devices(entry.node)
                                                     : entry.node.devices.value_or(0));
                     }},
                found(tr("Driver"), &cluster::NodeFacts::driver),
                found(tr("CUDA"), &cluster::NodeFacts::cuda),
                found(tr("NCCL"), &cluster::NodeFacts::nccl),
                {.title = tr("Interface"),
                 .text = [](const NodeEntry& entry) { return orMissing(interfaceText(entry)); },
                 .mono = true},
                {.title = tr("Last check"),
                 .text = lastCheckText,
                 .right = true,
                 .mono = true,
                 .order = [](const NodeEntry& entry) { return QVariant(entry.asked); }}});
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

QVariant NodesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= rows().size()) {
        return {};
    }
    const NodeEntry& entry = rows()[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case rawRole:
            return columnAt(column).order ? columnAt(column).order(entry) : data(index, Qt::DisplayRole);
        case Qt::DecorationRole:
            return column == Status ? QVariant(icon(signOf(entry).icon, signOf(entry).ink)) : QVariant();
        case Qt::ForegroundRole:
            return column == Status && signOf(entry).ink == Ink::Fail ? QVariant(currentTheme().fail.text)
                                                                      : QVariant();
        case Qt::FontRole:
            return column == Name ? textFont(size::body, QFont::DemiBold) : ColumnsModel::data(index, role);
        case Qt::ToolTipRole:  // of the whole row
            return ColumnsModel::data(index.siblingAtColumn(Status), role);
        default:
            return ColumnsModel::data(index, role);
    }
}

}  // namespace dlperf::ui
