// SPDX-License-Identifier: Apache-2.0
// Sorts rows by what the model has under the sort role: figures, or texts as people sort them.
#pragma once

#include <QSortFilterProxyModel>

namespace dlperf::ui {

// Missing figures stand at the end, whatever the direction.
class FigureOrder final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

}  // namespace dlperf::ui
