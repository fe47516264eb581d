// SPDX-License-Identifier: Apache-2.0
#include "ui/models/results_model.h"

#include <QFont>
#include <algorithm>

#include "core/report/cell_findings.h"
#include "core/report/spread.h"
#include "ui/theme/fonts.h"
#include "ui/theme/numbers.h"
#include "ui/theme/plain_tip.h"

namespace dlperf::ui {
namespace {

using report::spreadOf;

// What stands before the colon of "Scaling loss: …" fits a column; the rest is the tool tip.
QString findingTitle(const std::string& finding) {
    return QString::fromStdString(finding.substr(0, finding.find(':')));
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
    for (const report::ComparedSeries& series : comparison.series) {
        unit_ = QString::fromStdString(series.unit);
        if (series.id == baseline) {
            baseline_ = QString::fromStdString(series.title);
        }
        for (const report::Cell& cell : series.cells) {
            if (hidden.contains(series.id) || (topology && cell.topology != *topology)) {
                continue;
            }
            rows_.push_back({QString::fromStdString(series.id), QString::fromStdString(series.title),
                             QString::fromStdString(series.key.subject.framework), series.fill, cell,
                             std::nullopt});
            widestSpread_ = std::max(widestSpread_, spreadOf(cell).value_or(0));
        }
    }
    for (Row& row : rows_) {
        const auto yardstick = yardstickFor(comparison, row, baseline);
        if (row.cell.fold.median && yardstick.value_or(0) > 0) {
            row.difference = *row.cell.fold.median / *yardstick - 1;
        }
    }
    endResetModel();
}

std::optional<double> ResultsModel::yardstickFor(const report::Comparison& comparison, const Row& row,
                                                 const std::string& baseline) const {
    if (!baseline_.isEmpty()) {
        const auto series = std::ranges::find(comparison.series, baseline, &report::ComparedSeries::id);
        const report::Cell* cell = report::findCell(*series, row.cell.topology);
        return cell == nullptr ? std::nullopt : cell->fold.median;
    }
    double fastest = 0;
    for (const Row& other : rows_) {
        if (other.cell.topology == row.cell.topology) {
            fastest = std::max(fastest, other.cell.fold.median.value_or(0));
        }
    }
    return fastest;
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
                return cell.missing == "OOM" ? QStringLiteral("OOM") : missing;
            }
            return figureText(*cell.fold.median);
        case RangeColumn:
            return cell.range
                       ? figureText(cell.range->low) + QStringLiteral(" – ") + figureText(cell.range->high)
                       : missing;
        case SpreadColumn:
            return spread ? percentText(*spread) : missing;
        case SpeedupColumn:
            return cell.speedup ? timesText(*cell.speedup) : missing;
        case EfficiencyColumn:
            return cell.efficiency ? percentText(*cell.efficiency) : missing;
        case DifferenceColumn:
            if (!row.difference) {
                return missing;
            }
            if (baseline_.isEmpty()) {
                return *row.difference == 0 ? tr("fastest") : percentText(*row.difference);
            }
            return *row.difference == 0 && row.title == baseline_ ? tr("baseline")
                                                                  : percentText(*row.difference, true);
        case FindingColumn:
            return findingTitle(cell.finding);
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
            return figure(row.difference);
        default:
            return {};
    }
}

QVariant ResultsModel::raw(const Row& row, int column) const {
    switch (column) {
        case SeriesColumn:
        case FindingColumn:
            return text(row, column);
        case TopologyColumn:
            return row.cell.topology.worldSize() * 65536 + row.cell.topology.nodes;
        case RunsColumn:
            return static_cast<int>(row.cell.repetitions.size());
        case RangeColumn:
            return row.cell.range ? QVariant(row.cell.range->low) : QVariant();
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
            if (column == FindingColumn) {
                return plainTip(QString::fromStdString(row.cell.finding));
            }
            if (column == SeriesColumn) {
                return plainTip(row.title);
            }
            if (const std::string why = report::whyNoRange(row.cell, spread_);
                !why.empty() && (column == RangeColumn || column == SpreadColumn)) {
                return plainTip(QString::fromStdString(why));
            }
            return text(row, column) == missing || column == MedianColumn
                       ? plainTip(QString::fromStdString(row.cell.missing))
                       : QVariant();
        case Qt::TextAlignmentRole:
            return column == SeriesColumn || column == FindingColumn || column == TopologyColumn
                       ? int(Qt::AlignLeft | Qt::AlignVCenter)
                       : int(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::FontRole:
            if (column == SeriesColumn || column == FindingColumn) {
                return textFont();
            }
            return monoFont(size::secondary, column == MedianColumn ? QFont::Bold : QFont::Normal);
        default:
            return {};
    }
}

QString ResultsModel::meaning(int column) const {
    switch (column) {
        case RunsColumn:
            return tr("Repetitions that have a figure");
        case MedianColumn:
            return tr("The middle one of the repetitions' figures");
        case RangeColumn:
            return spread_ == report::Spread::MinToMax ? tr("The lowest and the highest repetition")
                                                       : tr("Where the median lies with 95 % confidence");
        case SpreadColumn:
            return tr("The width of that range over the median");
        case SpeedupColumn:
            return tr("The median over the speedup base: the series' own figure for one device, or another");
        case EfficiencyColumn:
            return tr("Speedup over the number of devices; 100 % is ideal");
        case DifferenceColumn:
            return baseline_.isEmpty() ? tr("How far behind the fastest series of the same topology")
                                       : tr("How far before or behind the series it is compared to");
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
        return section == SeriesColumn || section == FindingColumn || section == TopologyColumn
                   ? int(Qt::AlignLeft | Qt::AlignVCenter)
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
        case EfficiencyColumn:
            return tr("Efficiency");
        case DifferenceColumn:
            return baseline_.isEmpty() ? tr("To fastest") : tr("Over %1").arg(baseline_);
        case FindingColumn:
            return tr("Finding");
        default:
            return QString();
    }
}

}  // namespace dlperf::ui
