// SPDX-License-Identifier: Apache-2.0
#include "ui/models/node_choice_model.h"

#include <algorithm>

#include "ui/theme/numbers.h"
#include "ui/theme/plain_tip.h"

namespace dlperf::ui {
namespace {

// All of them in their order need not be named, so that a node that is added later takes part.
NodeNames asPlanned(NodeNames used, const NodeNames& all) {
    return used == all ? NodeNames{} : std::move(used);
}

}  // namespace

NodeNames usedNodes(const NodeNames& chosen, const NodeNames& all) {
    return chosen.empty() ? all : chosen;
}

NodeNames withNode(const NodeNames& chosen, const NodeNames& all, const std::string& node, bool on) {
    NodeNames used = usedNodes(chosen, all);
    std::erase(used, node);
    if (on) {
        const auto place = std::ranges::find(all, node);
        const auto next = std::ranges::find_if(
            used, [&](const std::string& other) { return std::find(place, all.end(), other) != all.end(); });
        used.insert(next, node);
    }
    return used.empty() ? chosen : asPlanned(std::move(used), all);
}

NodeNames withFirst(const NodeNames& chosen, const NodeNames& all, const std::string& node) {
    NodeNames used = usedNodes(chosen, all);
    std::erase(used, node);
    used.insert(used.begin(), node);
    return asPlanned(std::move(used), all);
}

void NodeChoiceModel::setNodes(const std::vector<NodeEntry>& entries, const NodeNames& chosen) {
    std::vector<Row> rows;
    rows.reserve(entries.size());
    for (const NodeEntry& entry : entries) {
        rows.push_back({entry.node.name, -1, signOf(entry), true});
    }
    NodeNames names;
    std::ranges::transform(rows, std::back_inserter(names), &Row::name);
    int rank = 0;
    for (const std::string& name : usedNodes(chosen, names)) {
        auto row = std::ranges::find(rows, name, &Row::name);
        if (row == rows.end()) {
            row = rows.insert(rows.end(),
                              {name, -1, {QStringLiteral("state-fail"), Ink::Fail, tr("Not in the list")}});
        }
        row->rank = rank++;
    }
    // The keyboard's place stays while the same nodes are shown.
    if (std::ranges::equal(rows, rows_, {}, &Row::name, &Row::name)) {
        rows_ = std::move(rows);
        if (!rows_.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        }
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

std::string NodeChoiceModel::nameOf(int row) const {
    return rows_[static_cast<std::size_t>(row)].name;
}

NodeNames NodeChoiceModel::all() const {
    NodeNames names;
    for (const Row& row : rows_) {
        if (row.isListed) {
            names.push_back(row.name);
        }
    }
    return names;
}

NodeNames NodeChoiceModel::fit() const {
    NodeNames names;
    for (const Row& row : rows_) {
        if (row.isListed && row.sign.ink != Ink::Fail) {
            names.push_back(row.name);
        }
    }
    return names;
}

int NodeChoiceModel::used() const {
    return static_cast<int>(std::ranges::count_if(rows_, [](const Row& row) { return row.rank >= 0; }));
}

int NodeChoiceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int NodeChoiceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString NodeChoiceModel::rankText(const Row& row) {
    return row.rank < 0 ? missing : row.rank == 0 ? tr("0, master") : QString::number(row.rank);
}

QVariant NodeChoiceModel::ofName(const Row& row, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(row.name);
        case Qt::CheckStateRole:
            return row.rank >= 0 ? Qt::Checked : Qt::Unchecked;
        case Qt::AccessibleTextRole:
            return tr("%1, rank %2, %3").arg(QString::fromStdString(row.name), rankText(row), row.sign.text);
        default:
            return {};
    }
}

QVariant NodeChoiceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole) {
        return plainTip(QString::fromStdString(row.name) + QStringLiteral(": ") + row.sign.text);
    }
    if (index.column() == Name) {
        return ofName(row, role);
    }
    if (index.column() == Rank) {
        return role == Qt::DisplayRole ? QVariant(rankText(row)) : QVariant();
    }
    // Its word is in the tip: there is no room for it beside the name.
    return role == Qt::DecorationRole       ? QVariant(icon(row.sign.icon, row.sign.ink))
           : role == Qt::AccessibleTextRole ? QVariant(row.sign.text)
                                            : QVariant();
}

bool NodeChoiceModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Name || role != Qt::CheckStateRole) {
        return false;
    }
    emit toggled(nameOf(index.row()), value.value<Qt::CheckState>() == Qt::Checked);
    return true;
}

Qt::ItemFlags NodeChoiceModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return {};
    }
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == Name ? usual | Qt::ItemIsUserCheckable : usual;
}

}  // namespace dlperf::ui
