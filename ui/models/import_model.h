// SPDX-License-Identifier: Apache-2.0
// The table of an import before it is saved: one row a log, what is known of it and what becomes of it.
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "core/import/import_logs.h"

namespace dlperf::ui {

class ImportModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Log,
        Verdict,
        Format,
        Framework,
        Implementation,
        Model,
        Topology,
        BatchSize,
        Precision,
        Repetition,
        Remarks,
        ColumnCount
    };

    ImportModel(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary,
                QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // What the user says of these logs; duplicates stay what they are.
    void correct(const QModelIndexList& rows, const imports::Corrections& corrections);
    [[nodiscard]] const imports::Proposal& proposal(int row) const;

private:
    [[nodiscard]] QString text(const imports::Proposal& proposal, int column) const;

    std::shared_ptr<imports::ImportPlan> plan_;
    const Vocabulary& vocabulary_;
};

}  // namespace dlperf::ui
