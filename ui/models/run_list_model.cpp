// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_list_model.h"

#include <map>

#include "ui/session/plan_draft.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {

RunListModel::RunListModel(QObject* parent) : ColumnsModel(parent) {
    using Row = PlannedRunRow;
    const auto figures = [](const QString& title, std::function<QString(const Row&)> text) {
        return ColumnsModel::Column{.title = title, .text = std::move(text), .right = true, .mono = true};
    };
    setColumns(
        {figures(tr("No."), [](const Row& row) { return QString::number(row.number); }),
         {tr("Recipe"), [](const Row& row) { return recipeText(row.benchmarkCase.configuration); }},
         {tr("Topology"),
          [](const Row& row) {
              return QString::fromStdString(dlperf::toString(row.benchmarkCase.topology));
          }},
         figures(tr("Batch"),
                 [](const Row& row) { return QString::number(row.benchmarkCase.configuration.batchSize); }),
         {tr("Precision"),
          [](const Row& row) { return QString::fromStdString(row.benchmarkCase.configuration.precision); }},
         figures(tr("Repetition"), [](const Row& row) { return QString::number(row.repetition); }),
         figures(tr("About"), [](const Row& row) { return row.time; })});
}

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
        rows_.push_back(
            {static_cast<int>(rows_.size()) + 1, run.benchmarkCase, run.repetition, time->second});
    }
    endResetModel();
}

}  // namespace dlperf::ui
