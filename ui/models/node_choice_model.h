// SPDX-License-Identifier: Apache-2.0
// The nodes to choose from for a plan: used or not, with which rank, and whether they are fit to run.
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "ui/models/nodes_model.h"

namespace dlperf::ui {

// Which nodes a plan uses, and in which order. As in a plan: none named means all of the list, in its order.
using NodeNames = std::vector<std::string>;

// The nodes that are used, in the order of their ranks.
[[nodiscard]] NodeNames usedNodes(const NodeNames& chosen, const NodeNames& all);

// With or without one. A node that comes back takes its place in the list's order among the others; the last
// one stays, as a plan without nodes would use all.
[[nodiscard]] NodeNames withNode(const NodeNames& chosen, const NodeNames& all, const std::string& node,
                                 bool on);
// With this one as node 0, the master.
[[nodiscard]] NodeNames withFirst(const NodeNames& chosen, const NodeNames& all, const std::string& node);

class NodeChoiceModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Rank, State, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    // `chosen` as a plan has it; nodes that the list lacks are rows too, so that they can be taken out.
    void setNodes(const std::vector<NodeEntry>& entries, const NodeNames& chosen);

    [[nodiscard]] std::string nameOf(int row) const;
    [[nodiscard]] NodeNames all() const;  // of the list
    [[nodiscard]] NodeNames fit() const;  // of these, those that no check stands against
    [[nodiscard]] int used() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    // The user's wish; the row changes once the plan has.
    void toggled(const std::string& node, bool on);

private:
    struct Row {
        std::string name;
        int rank = -1;  // not used
        NodeSign sign;
        bool isListed = false;
    };
    [[nodiscard]] static QString rankText(const Row& row);
    [[nodiscard]] QVariant ofName(const Row& row, int role) const;

    std::vector<Row> rows_;
};

}  // namespace dlperf::ui
