// SPDX-License-Identifier: Apache-2.0
#include "ui/models/results_model.h"

#include <QFont>
#include <algorithm>
#include <map>

#include "core/report/comparison.h"
#include "core/report/numbers.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/theme/plain_tip.h"

namespace dlperf::ui {
namespace {

using report::spreadOf;

// Their titles fit a column; the rest is the tool tip.
QString findingTitles(const std::vector<report::CellFinding>& findings) {
    QStringList titles;
    for (const report::CellFinding& finding : findings) {
        titles << QString::fromUtf8(report::titleOf(finding.kind));
    }
    titles.removeDuplicates();  // two outliers
    return titles.join(QLatin1String(", "));
}

QString sourcesOf(const report::ComparedSeries& series) {
    QStringList lines;
    for (const std::string& source : series.sources) {
        lines << QString::fromStdString(source);
    }
    return lines.join(QLatin1Char('\n'));
}

QString rangeText(const std::optional<analysis::Interval>& range) {
    return range ? figureText(range->low) + QStringLiteral(" – ") + figureText(range->high) : missing;
}

// Columns of words stand left, figures right.
bool isWords(int column) {
    return column == ResultsModel::SeriesColumn || column == ResultsModel::TopologyColumn ||
           column == ResultsModel::VerdictColumn || column == ResultsModel::FindingColumn;
}

// The series that the rows of a topology are compared with; null where there is none.
const report::ComparedSeries* yardstickOf(const report::Comparison& comparison, const Topology& topology,
                                          const std::set<std::string>& hidden, const std::string& baseline) {
    const auto chosen = std::ranges::find(comparison.series, baseline, &report::ComparedSeries::id);
    return chosen == comparison.series.end() ? report::bestAt(comparison, topology, hidden) : &*chosen;
}

}  // namespace

std::vector<std::pair<QString, QString>> titlesOf(const report::Comparison& comparison) {
    std::vector<std::pair<QString, QString>> titles;
    for (const report::ComparedSeries& series : comparison.series) {
        titles.emplace_back(QString::fromStdString(series.id), QString::fromStdString(series.title));
    }
    return titles;
}

ResultsModel::ResultsModel(QObject* parent) : QAbstractTableModel(parent) {}

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
    std::map<Topology, const report::ComparedSeries*> yardsticks;
    for (const Topology& one : comparison.topologies) {
        yardsticks[one] = yardstickOf(comparison, one, hidden, baseline);
    }
    for (const report::ComparedSeries& series : comparison.series) {
        unit_ = QString::fromStdString(series.unit);
        if (series.id == baseline) {
            baseline_ = QString::fromStdString(series.title);
        }
        for (const report::Cell& cell : series.cells) {
            if (hidden.contains(series.id) || (topology && cell.topology != *topology)) {
                continue;
            }
            rows_.push_back(rowOf(series, cell, yardsticks[cell.topology]));
            widestSpread_ = std::max(widestSpread_, spreadOf(cell).value_or(0));
            hasSpeedupRange_ =
                hasSpeedupRange_ || (spread_ == report::Spread::Confidence && cell.speedupInterval);
            hasMemory_ = hasMemory_ || cell.memoryMb.has_value();
            hasVerdict_ = hasVerdict_ || !verdictText(rows_.back()).isEmpty();
            tooFew_ += isTooFew(rows_.back()) ? 1 : 0;
        }
    }
    endResetModel();
}

ResultsModel::Row ResultsModel::rowOf(const report::ComparedSeries& series, const report::Cell& cell,
                                      const report::ComparedSeries* yardstick) {
    Row row{QString::fromStdString(series.id),
            QString::fromStdString(series.title),
            QString::fromStdString(series.key.configuration.framework),
            series.fill,
            cell,
            sourcesOf(series),
            std::nullopt,
            yardstick == &series};
    if (yardstick != nullptr) {
        row.difference = report::differenceOf(cell, *report::findCell(*yardstick, cell.topology));
    }
    return row;
}

// Words where the repetitions do not tell the two apart: a figure would be read as a difference.
QString ResultsModel::differenceText(const Row& row) const {
    if (!row.difference) {
        return missing;
    }
    if (row.yardstick || (baseline_.isEmpty() && row.difference->relative == 0)) {
        return baseline_.isEmpty() ? tr("fastest") : tr("baseline");
    }
    return row.difference->verdict == analysis::Verdict::Alike ? verdictText(row)
                                                               : percentText(row.difference->relative, true);
}

bool ResultsModel::isTooFew(const Row& row) {
    return row.difference && !row.yardstick && row.difference->verdict == analysis::Verdict::TooFew;
}

// Empty for what the others are compared with, and where a source quotes one figure: nobody can tell.
QString ResultsModel::verdictText(const Row& row) {
    if (!row.difference || row.yardstick) {
        return {};
    }
    switch (row.difference->verdict) {
        case analysis::Verdict::Different:
            return tr("different");
        case analysis::Verdict::Alike:
            return tr("not distinguishable");
        case analysis::Verdict::TooFew:
            return tr("too few runs");
        case analysis::Verdict::Unknown:
            break;
    }
    return {};
}

int ResultsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ResultsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString ResultsModel::text(const Row& row, int column) const {
    const report::Cell& cell = row.cell;
    const auto spread = spreadOf(cell);
    switch (column) {
        case SeriesColumn:
            return row.title;
        case TopologyColumn:
            return QString::fromStdString(toString(cell.topology));
        case RunsColumn:
            return cell.repetitions.empty() ? missing : QString::number(cell.repetitions.size());
        case MedianColumn:
            if (!cell.fold.median) {
                return cell.missingReason == report::MissingReason::OutOfMemory ? QStringLiteral("OOM")
                                                                                : missing;
            }
            return figureText(*cell.fold.median, report::decimalsOf(unit_.toStdString()));
        case RangeColumn:
            return rangeText(cell.range);
        case SpreadColumn:
            return spread ? percentText(*spread) : missing;
        case SpeedupColumn:
            return cell.speedup ? timesText(*cell.speedup) : missing;
        case SpeedupRangeColumn:
            return cell.speedupInterval ? rangeText(cell.speedupInterval) + QStringLiteral("×") : missing;
        case EfficiencyColumn:
            return cell.efficiency ? percentText(*cell.efficiency) : missing;
        case DifferenceColumn:
            return differenceText(row);
        case VerdictColumn:
            return verdictText(row);
        case MemoryColumn:
            return cell.memoryMb ? figureText(*cell.memoryMb, 0) : missing;
        case FindingColumn:
            return findingTitles(cell.findings);
        default:
            return {};
    }
}

QVariant ResultsModel::number(const Row& row, int column) {
    const auto figure = [](const std::optional<double>& value) {
        return value ? QVariant(*value) : QVariant();
    };
    switch (column) {
        case RunsColumn:
            return row.cell.repetitions.empty() ? QVariant()
                                                : QVariant(static_cast<int>(row.cell.repetitions.size()));
        case MedianColumn:
            return figure(row.cell.fold.median);
        case SpreadBarColumn:
        case SpreadColumn:
            return figure(spreadOf(row.cell));
        case SpeedupColumn:
            return figure(row.cell.speedup);
        case EfficiencyColumn:
            return figure(row.cell.efficiency);
        case DifferenceColumn:
            return row.difference && (row.yardstick || row.difference->verdict != analysis::Verdict::Alike)
                       ? QVariant(row.difference->relative)
                       : QVariant();
        case MemoryColumn:
            return figure(row.cell.memoryMb);
        default:
            return {};
    }
}

QVariant ResultsModel::raw(const Row& row, int column) const {
    switch (column) {
        case SeriesColumn:
        case VerdictColumn:
        case FindingColumn:
            return text(row, column);
        case TopologyColumn:
            return row.cell.topology.worldSize() * 65536 + row.cell.topology.nodes;
        case RunsColumn:
            return static_cast<int>(row.cell.repetitions.size());
        case RangeColumn:
            return row.cell.range ? QVariant(row.cell.range->low) : QVariant();
        case SpeedupRangeColumn:
            return row.cell.speedupInterval ? QVariant(row.cell.speedupInterval->low) : QVariant();
        default:
            return number(row, column);
    }
}

QVariant ResultsModel::bar(const Row& row, int column) const {
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
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return text(row, column);
        case RawRole:
            return raw(row, column);
        case NumberRole:
            return number(row, column);
        case KeyRole:
            return row.key;
        case FrameworkRole:
            return row.framework;
        case FillRole:
            return row.fill;
        case BarRole:
            return bar(row, column);
        case Qt::ToolTipRole:
            return plainTip(tip(row, column));
        case Qt::TextAlignmentRole:
            return isWords(column) ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                   : int(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::FontRole:
            if (isWords(column) && column != TopologyColumn) {
                return textFont();
            }
            return monoFont(size::secondary, column == MedianColumn ? QFont::Bold : QFont::Normal);
        default:
            return {};
    }
}

// What a cell has to say beyond its figure; empty for nothing.
QString ResultsModel::tip(const Row& row, int column) const {
    const report::Cell& cell = row.cell;
    QStringList lines;
    const auto add = [&](const std::string& text) {
        if (!text.empty()) {
            lines << QString::fromStdString(text);
        }
    };
    switch (column) {
        case SeriesColumn:
            lines << row.title;
            if (!row.sources.isEmpty()) {
                lines << tr("Quoted from:") << row.sources;
            }
            break;
        case MedianColumn:
            add(cell.missing);
            add(cell.interval ? report::intervalText(cell) : std::string());
            break;
        case RangeColumn:
        case SpreadColumn:
            add(report::whyNoRange(cell, spread_));
            break;
        case SpeedupColumn:
            if (cell.speedupInterval) {
                lines << tr("%1 to %2 (95 %, median and base resampled)")
                             .arg(timesText(cell.speedupInterval->low),
                                  timesText(cell.speedupInterval->high));
            }
            break;
        case SpeedupRangeColumn:
            if (cell.speedup && !cell.speedupInterval) {
                lines
                    << tr("A base has none of its own; else %1 repetitions are needed, here and of the base")
                           .arg(analysis::fewestForInterval);
            }
            break;
        case DifferenceColumn:
        case VerdictColumn:
            add(row.difference && !row.yardstick ? report::reasonText(*row.difference) : std::string());
            break;
        case FindingColumn:
            add(report::findingText(cell.findings, true));
            break;
        default:
            break;
    }
    if (lines.isEmpty() && text(row, column) == missing) {
        add(cell.missing);
    }
    return lines.join(QLatin1Char('\n'));
}

QString ResultsModel::meaning(int column) const {
    switch (column) {
        case RunsColumn:
            return tr("Repetitions that have a figure");
        case MedianColumn:
            return tr("The middle one of the repetitions' figures");
        case RangeColumn:
            return spread_ == report::Spread::MinToMax
                       ? tr("The lowest and the highest repetition")
                       : tr("Where 95 % of the medians of resamples lie (bootstrap)");
        case SpreadColumn:
            return tr("The width of that range over the median");
        case SpeedupColumn:
            return tr("The median over the speedup base: the series' own figure for one device, or another");
        case SpeedupRangeColumn:
            return tr("Where 95 % of the speedups of resamples lie: the median and its base are resampled");
        case EfficiencyColumn:
            return tr("Speedup over the number of devices; 100 % is ideal");
        case DifferenceColumn:
            return baseline_.isEmpty() ? tr("How far from the fastest series of the same topology")
                                       : tr("How far from the series it is compared to");
        case VerdictColumn:
            return tr("Whether the repetitions of both differ: a rank test with p up to 0.05");
        case MemoryColumn:
            return tr("Memory of a device, as the source says");
        case FindingColumn:
            return tr("What the analysis noticed; the whole is the tool tip of the cell");
        default:
            return {};
    }
}

QVariant ResultsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return isWords(section) ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                : int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        return meaning(section);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case SeriesColumn:
            return tr("Series");
        case TopologyColumn:
            return tr("Topology");
        case RunsColumn:
            return tr("Runs");
        case MedianColumn:
            return unit_.isEmpty() ? tr("Median") : tr("Median, %1").arg(unit_);
        case RangeColumn:
            return spread_ == report::Spread::MinToMax ? tr("Min to max") : tr("95 % interval");
        case SpreadColumn:
            return tr("Spread");
        case SpeedupColumn:
            return tr("Speedup");
        case SpeedupRangeColumn:
            return tr("95 % of speedup");
        case EfficiencyColumn:
            return tr("Efficiency");
        case DifferenceColumn:
            return baseline_.isEmpty() ? tr("To fastest") : tr("Over %1").arg(baseline_);
        case VerdictColumn:
            return tr("Rank test");
        case MemoryColumn:
            return tr("Memory, MB");
        case FindingColumn:
            return tr("Finding");
        default:
            return QString();
    }
}

}  // namespace dlperf::ui
