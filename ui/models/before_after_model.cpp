// SPDX-License-Identifier: Apache-2.0
#include "ui/models/before_after_model.h"

#include "core/analysis/rank_test.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

constexpr int verdictSize = 14;  // px, of the icon

// Of the verdict's icon and colour: what does not pass stands out, and what became faster. Else empty.
QString stateOf(const report::BeforeAfterCase& one, double limit) {
    if (const auto why = report::regressionOf(one, limit)) {
        return why == report::Regression::TooFewRuns ? QStringLiteral("warn") : QStringLiteral("fail");
    }
    return report::changeOf(one, limit) == report::Change::Faster ? QStringLiteral("ok") : QString();
}

// The column of report::beforeAfterTable() with the same text.
std::size_t placeOf(int column) {
    return static_cast<std::size_t>(column == BeforeAfterModel::RunsColumn ? 5 : column);
}

}  // namespace

void BeforeAfterModel::setCompared(const report::BeforeAfter& compared, double limit) {
    beginResetModel();
    rows_.clear();
    limit_ = limit;
    report::Table table = report::beforeAfterTable(compared);
    rows_.reserve(compared.cases.size());
    for (std::size_t i = 0; i < compared.cases.size(); ++i) {
        rows_.push_back({compared.cases[i], std::move(table.rows[i])});
    }
    endResetModel();
}

void BeforeAfterModel::showTheme() {
    if (!rows_.empty()) {
        emit dataChanged(index(0, VerdictColumn), index(rowCount() - 1, VerdictColumn));
    }
}

void BeforeAfterModel::describeColumns() {
    using Row = BeforeAfterRow;
    std::vector<ColumnsModel::Column> columns(ColumnCount);
    for (const int column :
         {CaseColumn, TopologyColumn, BeforeColumn, AfterColumn, DifferenceColumn, RunsColumn}) {
        const std::size_t place = placeOf(column);
        columns[static_cast<std::size_t>(column)] = {
            .text = [place](const Row& row) { return localized(row.cells[place].text); },
            .right = column >= BeforeColumn,
            .mono = column >= TopologyColumn,
            .tip = [place](const Row& row) { return localized(row.cells[place].note); }};
    }
    for (const int column : {BeforeColumn, AfterColumn, DifferenceColumn}) {
        columns[static_cast<std::size_t>(column)].number = [place = placeOf(column)](const Row& row) {
            const auto& number = row.cells[place].number;
            return number ? QVariant(*number) : QVariant();
        };
    }
    columns[CaseColumn].title = tr("Case");
    columns[CaseColumn].tip = columns[CaseColumn].text;  // where it is cut
    columns[TopologyColumn].title = tr("Topology");
    columns[TopologyColumn].order = [](const Row& row) {
        const Topology& topology = row.one.benchmarkCase.topology;
        return QVariant(topology.worldSize() * 65536 + topology.nodes);
    };
    columns[BeforeColumn].title = tr("Before");
    columns[AfterColumn].title = tr("After");
    columns[DifferenceColumn].title = tr("Difference");
    columns[DifferenceColumn].meaning = tr("How far the median after is from that before");
    // Slower stands on one side, faster on the other, of times as well.
    columns[DifferenceColumn].order = [](const Row& row) {
        return row.one.difference ? QVariant(-row.one.worseBy()) : QVariant();
    };
    columns[IntervalColumn] = {
        .title = tr("95 % interval"),
        .text =
            [](const Row& row) {
                const auto& interval = row.one.interval;
                return interval
                           ? tr("%1 to %2")
                                 .arg(percentText(interval->low, true), percentText(interval->high, true))
                           : missing;
            },
        .right = true,
        .mono = true,
        .meaning = tr("Where 95 % of the differences of resamples lie"),
        .tip =
            [](const Row& row) {
                return row.one.difference && !row.one.interval
                           ? tr("From %1 repetitions on, before and after").arg(analysis::fewestForInterval)
                           : QString();
            },
        .order =
            [](const Row& row) { return row.one.interval ? QVariant(row.one.interval->low) : QVariant(); }};
    columns[PColumn] = {
        .title = QStringLiteral("p"),
        .text =
            [](const Row& row) {
                return row.one.difference && row.one.difference->p
                           ? QString::fromStdString(analysis::pFigure(*row.one.difference->p))
                           : missing;
            },
        .right = true,
        .mono = true,
        .meaning = tr("Of the rank test; up to 0.05 the repetitions differ"),
        .tip =
            [](const Row& row) {
                return row.one.difference ? localized(report::reasonText(*row.one.difference)) : QString();
            },
        .number =
            [](const Row& row) {
                return row.one.difference && row.one.difference->p ? QVariant(*row.one.difference->p)
                                                                   : QVariant();
            }};
    columns[RunsColumn].title = tr("Runs");
    columns[RunsColumn].meaning = tr("Repetitions before and after");
    const auto verdict = [this](const Row& row) { return localized(report::changeText(row.one, limit_)); };
    columns[VerdictColumn] = {.title = tr("Verdict"), .text = verdict, .tip = verdict};
    setColumns(std::move(columns));
}

QVariant BeforeAfterModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const BeforeAfterRow& row = rows_[static_cast<std::size_t>(index.row())];
    const ColumnsModel::Column& column = columnAt(index.column());
    const QString state = index.column() == VerdictColumn ? stateOf(row.one, limit_) : QString();
    switch (role) {
        case RawRole:
            return column.order    ? column.order(row)
                   : column.number ? column.number(row)
                                   : QVariant(column.text(row));
        case NumberRole:
            return column.number ? column.number(row) : QVariant();
        case Qt::DecorationRole:
            return state.isEmpty() ? QVariant()
                                   : QVariant(iconPixmap(QStringLiteral("state-") + state,
                                                         stateColor(currentTheme(), state), verdictSize, 2));
        case Qt::ForegroundRole:
            return state.isEmpty() ? QVariant() : QVariant(stateColor(currentTheme(), state));
        default:
            return ColumnsModel::data(index, role);
    }
}

}  // namespace dlperf::ui
