// SPDX-License-Identifier: Apache-2.0
// A node's topology matrix as a table: devices by devices, then the CPU cores of each.
#pragma once

#include <QAbstractTableModel>

#include "core/cluster/topology_matrix.h"

namespace dlperf::ui {

// "two NVLinks", "across CPU sockets"
[[nodiscard]] QString linkWords(const cluster::LinkCell& cell);
// "GPU1 to GPU5: two NVLinks."
[[nodiscard]] QString linkSentence(const cluster::TopologyMatrix& matrix, int row, int column);

class TopologyModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { LinkRole = Qt::UserRole, NvLinksRole };  // int of cluster::Link; how many

    using QAbstractTableModel::QAbstractTableModel;
    void setMatrix(const cluster::TopologyMatrix& matrix);
    [[nodiscard]] const cluster::TopologyMatrix& matrix() const { return matrix_; }
    [[nodiscard]] int deviceCount() const { return static_cast<int>(matrix_.devices.size()); }
    // The first device that is no GPU; deviceCount() where there is none.
    [[nodiscard]] int firstAdapter() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    cluster::TopologyMatrix matrix_;
};

}  // namespace dlperf::ui
