// SPDX-License-Identifier: Apache-2.0
// Sorts rows by what the model has under the sort role: figures, or texts as people sort them.
#pragma once

#include <QCollator>
#include <QSortFilterProxyModel>

namespace dlperf::ui {

// Missing figures stand at the end, whatever the direction; "batch size 64" stands before "batch size 128".
class FigureOrder final : public QSortFilterProxyModel {
public:
    explicit FigureOrder(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QCollator collator_;
};

}  // namespace dlperf::ui
