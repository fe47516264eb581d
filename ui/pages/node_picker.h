// SPDX-License-Identifier: Apache-2.0
// Launch's choice of nodes and of the master. Not shown where there is nothing to choose.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "ui/session/node_list.h"

class QLabel;
class QTableView;

namespace dlperf::ui {

class NodeChoiceModel;

// Which nodes a plan uses, and in which order. As in a plan: none named means all of the list, in its order.
using NodeNames = std::vector<std::string>;

[[nodiscard]] NodeNames usedNodes(const NodeNames& chosen, const NodeNames& all);

// With or without one. A node that comes back takes its place in the list's order among the others; the last
// one stays, as a plan without nodes would use all.
[[nodiscard]] NodeNames withNode(const NodeNames& chosen, const NodeNames& all, const std::string& node,
                                 bool on);
[[nodiscard]] NodeNames withFirst(const NodeNames& chosen, const NodeNames& all, const std::string& node);

class NodePicker final : public QWidget {
    Q_OBJECT

public:
    enum Column { Name, Rank, State, ColumnCount };

    explicit NodePicker(QWidget* parent = nullptr);

    void setNodes(const std::vector<NodeEntry>& entries, const NodeNames& chosen);

signals:
    void chosen(const dlperf::ui::NodeNames& nodes);  // as a plan is to have it

private:
    void buildHead();
    void buildTable();
    void makeFirst();
    void toggleCurrent();

    NodeNames chosen_;
    NodeChoiceModel* model_;
    QLabel* count_;
    QTableView* table_;
};

}  // namespace dlperf::ui
