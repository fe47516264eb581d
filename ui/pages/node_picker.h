// SPDX-License-Identifier: Apache-2.0
// Launch's choice of nodes and of the master. Not shown where there is nothing to choose.
#pragma once

#include <QWidget>

#include "ui/models/node_choice_model.h"

class QLabel;
class QTableView;

namespace dlperf::ui {

class NodePicker final : public QWidget {
    Q_OBJECT

public:
    explicit NodePicker(QWidget* parent = nullptr);

    // `chosen` as a plan has it.
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
