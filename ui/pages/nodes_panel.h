// SPDX-License-Identifier: Apache-2.0
// The table of the nodes. Nodes are named by their place in the list, whatever the table's order.
#pragma once

#include <optional>

#include "ui/session/node_list.h"
#include "ui/widgets/parts.h"

class QSortFilterProxyModel;
class QTableView;

namespace dlperf::ui {

class NodesModel;

class NodesPanel final : public Panel {
    Q_OBJECT

public:
    explicit NodesPanel(NodeList& nodes, QWidget* parent = nullptr);

    [[nodiscard]] std::optional<std::size_t> selected() const;
    void select(std::size_t index);
    void clearFilter();
    void focusFilter();
    void focusTable();
    // After another list: as many rows as it has, within bounds.
    void fitRows();
    // Columns never get narrower under the pointer, whatever a probe finds. Between them is as much room as
    // there is. Where that is not enough, Last check goes, and no other column moves: the panel's head has
    // the selected node's.
    void fitColumns();
    void showLastCheck(const QDateTime& asked);

signals:
    void selectionChanged();
    void activated();
    void removeAsked();
    void menuAsked(const QPoint& where);  // for the selected node, on the screen

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader();
    void copyTable() const;

    NodeList& nodes_;
    NodesModel* model_;
    QSortFilterProxyModel* shown_;
    QLineEdit* filter_;
    QTableView* table_;
    QLabel* lastCheck_;
    bool isFitted_ = false;  // to the width that the page has
};

}  // namespace dlperf::ui
