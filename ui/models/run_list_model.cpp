// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_list_model.h"

#include <array>
#include <map>

#include "ui/session/plan_draft.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

bool isNumberColumn(int column) {
    return column == RunListModel::Number || column == RunListModel::Batch ||
           column == RunListModel::Repetition || column == RunListModel::Time;
}

}  // namespace

void RunListModel::setRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times) {
    beginResetModel();
    rows_.clear();
    std::map<Case, QString> texts;  // a case stands in the list once for each repetition
    for (const launch::PlannedRun& run : runs) {
        const auto [time, isNew] = texts.try_emplace(run.benchmarkCase);
        if (isNew) {
            const auto expected = times.of(run.benchmarkCase);
            time->second = expected ? durationText(*expected) : missing;
        }
        rows_.push_back({run.benchmarkCase, run.repetition, time->second});
    }
    endResetModel();
}

int RunListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((isNumberColumn(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    }
    if (role == Qt::FontRole) {
        return isNumberColumn(index.column()) ? monoFont() : textFont();
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
        case Number:
            return QString::number(index.row() + 1);
        case Recipe:
            return recipeText(row.benchmarkCase.configuration);
        case TopologyColumn:
            return QString::fromStdString(dlperf::toString(row.benchmarkCase.topology));
        case Batch:
            return QString::number(row.benchmarkCase.configuration.batchSize);
        case Precision:
            return QString::fromStdString(row.benchmarkCase.configuration.precision);
        case Repetition:
            return QString::number(row.repetition);
        case Time:
            return row.time;
        default:
            return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, ColumnCount> titles{
        tr("No."), tr("Recipe"), tr("Topology"), tr("Batch"), tr("Precision"), tr("Repetition"), tr("About")};
    return titles[static_cast<std::size_t>(section)];
}

}  // namespace dlperf::ui
