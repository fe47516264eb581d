// SPDX-License-Identifier: Apache-2.0
// The table of nodes: one row a node, what its last probe found.
#pragma once

#include "ui/models/columns_model.h"
#include "ui/session/node_list.h"
#include "ui/theme/icons.h"

namespace dlperf::ui {

struct NodeSign {
    QString icon;
    Ink ink = Ink::Idle;
    QString text;
};
[[nodiscard]] NodeSign signOf(const NodeEntry& entry);
// "8 × Tesla V100-SXM2-16GB", "2 CPU processes"; nothing before the first probe.
[[nodiscard]] QString devicesText(const NodeEntry& entry);
// The interface that carries the traffic between nodes: what the node says, else the one a probe found.
[[nodiscard]] QString interfaceText(const NodeEntry& entry);

class NodesModel final : public ColumnsModel<NodeEntry> {
    Q_OBJECT

public:
    enum Column { Status, Name, Address, Devices, Driver, Cuda, Nccl, Interface, LastCheck, ColumnCount };
    static constexpr int rawRole = Qt::UserRole;  // sorts

    explicit NodesModel(const NodeList& nodes, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
    QVariant data(const QModelIndex& index, int role) const override;

protected:
    [[nodiscard]] std::span<const NodeEntry> rows() const override { return nodes_.entries(); }

private:
    void describeColumns();
    void followList();
    void followEntry(std::size_t index);

    const NodeList& nodes_;
    int rows_ = 0;  // as views know them
};

}  // namespace dlperf::ui
