// SPDX-License-Identifier: Apache-2.0
// The table of the nodes: filtered, sorted, copied, and one of them selected. Nodes are named by their place
// in the list, whatever the table's order.
#pragma once

#include <optional>

#include "ui/session/node_list.h"
#include "ui/widgets/parts.h"

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace dlperf::ui {

class NodesModel;

class NodesPanel final : public Panel {
    Q_OBJECT

public:
    explicit NodesPanel(NodeList& nodes, QWidget* parent = nullptr);

    [[nodiscard]] std::optional<std::size_t> selected() const;  // none: the filter may leave none
    void select(std::size_t index);
    void clearFilter();
    void focusFilter();
    void focusTable();
    // After another list: as many rows as it has, within bounds.
    void fitRows();
    // After an answer. What a probe finds may be wider than what stood there; columns never get narrower
    // under the pointer.
    void fitColumns();
    void showLastCheck(const QDateTime& asked);

signals:
    void selectionChanged();

private:
    void buildHeader();
    void copyTable() const;

    NodeList& nodes_;
    NodesModel* model_;
    QSortFilterProxyModel* shown_;
    QLineEdit* filter_;
    QTableView* table_;
    QLabel* lastCheck_;
};

}  // namespace dlperf::ui
