// SPDX-License-Identifier: Apache-2.0
#include "ui/models/results_model.h"

#include <QCoreApplication>
#include <QFont>
#include <algorithm>
#include <array>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/numbers.h"
#include "core/report/series_points.h"
#include "core/report/series_title.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

using report::spreadOf;

// Their titles fit a column; the rest is the tool tip.
QString findingTitles(const std::vector<report::CellFinding>& findings) {
    QStringList titles;
    for (const report::CellFinding& finding : findings) {
        titles << localized(report::titleOf(finding.kind));
    }
    titles.removeDuplicates();  // two outliers
    return titles.join(comma());
}

QString sourcesOf(const report::ComparedSeries& series) {
    return QString::fromStdString(join(series.sources, "\n"));
}

QString rangeText(const std::optional<analysis::Interval>& range, int decimals = 2) {
    return range
               ? figureText(range->low, decimals) + QStringLiteral(" – ") + figureText(range->high, decimals)
               : missing;
}

const report::ComparedSeries* referenceOf(const report::Comparison& comparison, const Topology& topology,
                                          const std::set<std::string>& hidden, const std::string& baseline) {
    const auto chosen = std::ranges::find(comparison.series, baseline, &report::ComparedSeries::id);
    return chosen == comparison.series.end() ? report::bestAt(comparison, topology, hidden) : &*chosen;
}

ResultRow rowOf(const report::ComparedSeries& series, const std::string& shortTitle, const report::Cell& cell,
                const report::ComparedSeries* reference) {
    const report::Series look = report::chartSeries(series);
    ResultRow row{QString::fromStdString(series.id),
                  localized(series.title),
                  localizedPart(shortTitle),
                  QString::fromStdString(look.framework),
                  look.fill,
                  cell,
                  sourcesOf(series),
                  std::nullopt,
                  reference == &series};
    if (reference != nullptr) {
        row.difference = report::differenceOf(cell, *report::findCell(*reference, cell.topology));
    }
    return row;
}

bool isTooFew(const ResultRow& row) {
    return row.difference && !row.isReference && row.difference->verdict == analysis::Verdict::TooFew;
}

// Empty for what the others are compared with, and where a source quotes one figure: nobody can tell.
QString verdictText(const ResultRow& row) {
    if (!row.difference || row.isReference) {
        return {};
    }
    const std::array<QString, 4> words{QString(), ResultsModel::tr("too few runs"),
                                       ResultsModel::tr("not distinguishable"),
                                       ResultsModel::tr("different")};
    return words.at(static_cast<std::size_t>(row.difference->verdict));
}

QVariant figure(const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
}

}  // namespace

std::vector<std::pair<QString, QString>> titlesOf(const report::Comparison& comparison) {
    return mapped(comparison.series, [](const report::ComparedSeries& series) {
        return std::pair(QString::fromStdString(series.id), localized(series.title));
    });
}

void ResultsModel::setComparison(const report::Comparison& comparison, const std::set<std::string>& hidden,
                                 std::optional<Topology> topology, const std::string& baseline) {
    beginResetModel();
    rows_.clear();
    widestSpread_ = 0;
    baseline_.clear();
    spread_ = comparison.spread;
    hasSpeedupRange_ = false;
    hasMemory_ = false;
    hasVerdict_ = false;
    tooFew_ = 0;
    std::map<Topology, const report::ComparedSeries*> references;
    for (const Topology& one : comparison.topologies) {
        references[one] = referenceOf(comparison, one, hidden, baseline);
    }
    const auto shortTitles =
        report::withoutSharedParts(mapped(comparison.series, &report::ComparedSeries::title));
    for (std::size_t i = 0; i < comparison.series.size(); ++i) {
        const report::ComparedSeries& series = comparison.series[i];
        unit_ = QString::fromStdString(series.unit);
        if (series.id == baseline) {
            baseline_ = localized(series.title);
        }
        for (const report::Cell& cell : series.cells) {
            if (hidden.contains(series.id) || (topology && cell.topology != *topology)) {
                continue;
            }
            rows_.push_back(rowOf(series, shortTitles[i], cell, references[cell.topology]));
            widestSpread_ = std::max(widestSpread_, spreadOf(cell).value_or(0));
            hasSpeedupRange_ =
                hasSpeedupRange_ || (spread_ == report::Spread::Confidence && cell.speedupInterval);
            hasMemory_ = hasMemory_ || cell.memoryMb.has_value();
            hasVerdict_ = hasVerdict_ || !verdictText(rows_.back()).isEmpty();
            tooFew_ += isTooFew(rows_.back()) ? 1 : 0;
        }
    }
    describeColumns();
    endResetModel();
}

void ResultsModel::pointAt(const QString& key) {
    if (key != std::exchange(pointedAt_, key) && !rows_.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {PointedRole});
    }
}

// Words where the repetitions do not tell the two apart: a figure would be read as a difference.
QString ResultsModel::differenceText(const ResultRow& row) const {
    if (!row.difference) {
        return missing;
    }
    if (row.isReference || (baseline_.isEmpty() && row.difference->relative == 0)) {
        return baseline_.isEmpty() ? tr("fastest") : tr("baseline");
    }
    return row.difference->verdict == analysis::Verdict::Alike ? verdictText(row)
                                                               : percentText(row.difference->relative, true);
}

void ResultsModel::describeColumns() {
    Columns columns(ColumnCount);
    describeCase(columns);
    describeFigures(columns);
    describeScaling(columns);
    describeDifference(columns);
    columns[MemoryColumn] = {
        .title = tr("Peak memory, MB"),
        .text =
            [](const ResultRow& row) {
                return row.cell.memoryMb ? figureText(*row.cell.memoryMb, 0) : missing;
            },
        .meaning = tr("The most that was in use on a GPU, or by one process on CPUs; of published figures as "
                      "the source says"),
        .number = [](const ResultRow& row) { return figure(row.cell.memoryMb); }};
    columns[FindingColumn] = {
        .title = tr("Finding"),
        .text = [](const ResultRow& row) { return findingTitles(row.cell.findings); },
        .meaning = tr("What the analysis noticed; the whole is the tool tip of the cell"),
        .tip = [](const ResultRow& row) { return localized(report::findingText(row.cell.findings, true)); }};
    for (const int column :
         {RunsColumn, MedianColumn, RangeColumn, SpreadBarColumn, SpreadColumn, SpeedupColumn,
          SpeedupRangeColumn, EfficiencyColumn, DifferenceColumn, MemoryColumn}) {
        columns[static_cast<std::size_t>(column)].right = true;
        columns[static_cast<std::size_t>(column)].mono = true;
    }
    setColumns(std::move(columns));
}

void ResultsModel::describeCase(Columns& columns) {
    columns[SeriesColumn] = {.title = tr("Series"),
                             .text = [](const ResultRow& row) { return row.title; },
                             .tip =
                                 [](const ResultRow& row) {
                                     return row.sources.isEmpty()
                                                ? row.title
                                                : row.title + QLatin1Char('\n') + tr("Quoted from:") +
                                                      QLatin1Char('\n') + row.sources;
                                 }};
    columns[TopologyColumn] = {
        .title = tr("Topology"),
        .text = [](const ResultRow& row) { return localized(toString(row.cell.topology)); },
        .mono = true,
        .order =
            [](const ResultRow& row) {
                return QVariant(row.cell.topology.worldSize() * 65536 + row.cell.topology.nodes);
            }};
    const auto count = [](const ResultRow& row) { return static_cast<int>(row.cell.repetitions.size()); };
    columns[RunsColumn] = {
        .title = tr("Runs"),
        .text =
            [count](const ResultRow& row) { return count(row) == 0 ? missing : QString::number(count(row)); },
        .meaning = tr("Repetitions that have a figure"),
        .number =
            [count](const ResultRow& row) { return count(row) == 0 ? QVariant() : QVariant(count(row)); },
        .order = [count](const ResultRow& row) { return QVariant(count(row)); }};
}

// The median and what it is of.
void ResultsModel::describeFigures(Columns& columns) {
    const bool isMinToMax = spread_ == report::Spread::MinToMax;
    const int decimals = report::decimalsOf(unit_.toStdString());
    const auto spreadTip = [this](const ResultRow& row) {
        return localized(report::whyNoRange(row.cell, spread_));
    };
    columns[MedianColumn] = {
        .title = unit_.isEmpty() ? tr("Median") : tr("Median, %1").arg(localized(unit_.toStdString())),
        .text =
            [decimals](const ResultRow& row) {
                return row.cell.fold.median ? figureText(*row.cell.fold.median, decimals)
                       : row.cell.missingReason == report::MissingReason::OutOfMemory ? QStringLiteral("OOM")
                                                                                      : missing;
            },
        .meaning = tr("The middle one of the repetitions' figures"),
        .tip =
            [decimals](const ResultRow& row) {
                QStringList lines{
                    localized(row.cell.missing),
                    row.cell.interval ? localized(report::intervalText(row.cell, decimals)) : QString()};
                lines.removeAll(QString());
                return lines.join(QLatin1Char('\n'));
            },
        .number = [](const ResultRow& row) { return figure(row.cell.fold.median); }};
    columns[RangeColumn] = {
        .title = isMinToMax ? tr("Min to max") : tr("95 % interval"),
        .text = [decimals](const ResultRow& row) { return rangeText(row.cell.range, decimals); },
        .meaning = isMinToMax ? tr("The lowest and the highest repetition")
                              : tr("Where 95 % of the medians of resamples lie (bootstrap)"),
        .tip = spreadTip,
        .order =
            [](const ResultRow& row) { return row.cell.range ? QVariant(row.cell.range->low) : QVariant(); }};
    columns[SpreadBarColumn] = {.number = [](const ResultRow& row) { return figure(spreadOf(row.cell)); }};
    columns[SpreadColumn] = {.title = tr("Spread"),
                             .text =
                                 [](const ResultRow& row) {
                                     const auto spread = spreadOf(row.cell);
                                     return spread ? percentText(*spread) : missing;
                                 },
                             .meaning = tr("The width of that range over the median"),
                             .tip = spreadTip,
                             .number = columns[SpreadBarColumn].number};
}

void ResultsModel::describeScaling(Columns& columns) {
    columns[SpeedupColumn] = {
        .title = tr("Speedup"),
        .text =
            [](const ResultRow& row) { return row.cell.speedup ? timesText(*row.cell.speedup) : missing; },
        .meaning = tr("The median over the speedup base: the series' own figure for one device, or another"),
        .tip =
            [](const ResultRow& row) {
                const auto& interval = row.cell.speedupInterval;
                return interval ? tr("%1 to %2 (95 %, median and base resampled)")
                                      .arg(timesText(interval->low), timesText(interval->high))
                                : QString();
            },
        .number = [](const ResultRow& row) { return figure(row.cell.speedup); }};
    columns[SpeedupRangeColumn] = {
        .title = tr("95 % of speedup"),
        .text =
            [](const ResultRow& row) {
                const auto& interval = row.cell.speedupInterval;
                return interval ? rangeText(interval) + QStringLiteral("×") : missing;
            },
        .meaning = tr("Where 95 % of the speedups of resamples lie: the median and its base are resampled"),
        .tip =
            [](const ResultRow& row) {
                return row.cell.speedup && !row.cell.speedupInterval
                           ? tr("A base has none of its own; else %1 repetitions are needed, here and of the "
                                "base")
                                 .arg(analysis::fewestForInterval)
                           : QString();
            },
        .order =
            [](const ResultRow& row) {
                const auto& interval = row.cell.speedupInterval;
                return interval ? QVariant(interval->low) : QVariant();
            }};
    columns[EfficiencyColumn] = {.title = tr("Efficiency"),
                                 .text =
                                     [](const ResultRow& row) {
                                         return row.cell.efficiency ? percentText(*row.cell.efficiency)
                                                                    : missing;
                                     },
                                 .meaning = tr("Speedup over the number of devices; 100 % is ideal"),
                                 .number = [](const ResultRow& row) { return figure(row.cell.efficiency); }};
}

// To the fastest, or to the baseline.
void ResultsModel::describeDifference(Columns& columns) {
    const auto differenceTip = [](const ResultRow& row) {
        return row.difference && !row.isReference ? localized(report::reasonText(*row.difference))
                                                  : QString();
    };
    columns[DifferenceColumn] = {
        .title = baseline_.isEmpty() ? tr("To fastest") : tr("Over %1").arg(baseline_),
        .text = [this](const ResultRow& row) { return differenceText(row); },
        .meaning = baseline_.isEmpty() ? tr("How far from the fastest series of the same topology")
                                       : tr("How far from the series it is compared to"),
        .tip = differenceTip,
        .number =
            [](const ResultRow& row) {
                return row.difference &&
                               (row.isReference || row.difference->verdict != analysis::Verdict::Alike)
                           ? QVariant(row.difference->relative)
                           : QVariant();
            }};
    columns[VerdictColumn] = {
        .title = tr("Rank test"),
        .text = [](const ResultRow& row) { return verdictText(row); },
        .meaning = tr("Whether the repetitions of both differ: a rank test with p up to 0.05"),
        .tip = differenceTip};
}

QVariant ResultsModel::bar(const ResultRow& row, int column) const {
    if (column == EfficiencyColumn && row.cell.efficiency) {
        return *row.cell.efficiency;
    }
    if (column == SpreadBarColumn && spreadOf(row.cell)) {
        const double median = *row.cell.fold.median;
        return QVariant::fromValue(
            SpreadBar{row.cell.range->low / median - 1, row.cell.range->high / median - 1, widestSpread_});
    }
    return {};
}

QVariant ResultsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ResultRow& row = rows_[static_cast<std::size_t>(index.row())];
    const ColumnsModel::Column& column = columnAt(index.column());
    const auto number = [&] { return column.number ? column.number(row) : QVariant(); };
    switch (role) {
        case RawRole:
            return column.order ? column.order(row) : column.number ? number() : QVariant(column.text(row));
        case NumberRole:
            return number();
        case KeyRole:
            return row.key;
        case PointedRole:
            return row.key == pointedAt_;
        case FrameworkRole:
            return row.framework;
        case FillRole:
            return row.fill;
        case BarRole:
            return bar(row, index.column());
        case ShownTitleRole:
            return shortened_ ? row.shortTitle : row.title;
        case Qt::ToolTipRole:
            // A missing figure's reason, where the column has no other one.
            return plainTip(column.tip && !column.tip(row).isEmpty() ? column.tip(row)
                            : column.text && column.text(row) == missing
                                ? QString::fromStdString(row.cell.missing)
                                : QString());
        case Qt::FontRole:
            return index.column() == MedianColumn ? monoFont(size::secondary, QFont::Bold)
                                                  : ColumnsModel::data(index, role);
        default:
            return ColumnsModel::data(index, role);
    }
}

SeriesFinder::SeriesFinder(const report::Comparison& comparison) {
    for (const report::ComparedSeries& series : comparison.series) {
        byConfiguration_[series.key.configuration].push_back(&series);
    }
}

const report::ComparedSeries* SeriesFinder::seriesOf(const RunResult& result) const {
    const auto alike = byConfiguration_.find(result.benchmarkCase.configuration);
    if (alike == byConfiguration_.end()) {
        return nullptr;
    }
    const auto found =
        std::ranges::find_if(alike->second, [&](const auto* one) { return report::holds(*one, result); });
    return found == alike->second.end() ? nullptr : *found;
}

}  // namespace dlperf::ui
