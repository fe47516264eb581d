// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/analysis/rank_test.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr double fallTolerance = 0.005;
constexpr double superLinear = 1.02;
constexpr double scalingLoss = 0.10;
constexpr std::size_t enoughOthers = 3;
constexpr int enoughTheSame = 3;

std::optional<CellFinding> missingFigureOf(const Cell& cell) {
    return cell.fold.median || !cell.wasTried()
               ? std::nullopt
               : std::optional(CellFinding{FindingKind::Missing, cell.missing});
}

// The fastest cell of fewer devices.
const Cell* bestBelow(const ComparedSeries& series, const Cell& cell) {
    const Cell* best = nullptr;
    for (const Cell& other : series.cells) {
        const bool fewer = other.topology.worldSize() < cell.topology.worldSize();
        if (fewer && other.fold.median && (best == nullptr || *other.fold.median > *best->fold.median)) {
            best = &other;
        }
    }
    return best;
}

std::optional<CellFinding> fallOf(const ComparedSeries& series, const Cell& cell) {
    const Cell* best = cell.fold.median ? bestBelow(series, cell) : nullptr;
    if (best == nullptr || *cell.fold.median >= *best->fold.median * (1 - fallTolerance) ||
        analysis::verdictOf(cell.repetitions, best->repetitions) == analysis::Verdict::Alike) {
        return std::nullopt;
    }
    return CellFinding{
        FindingKind::Falls,
        fmt::format("{} on {}, {} on {} ({})", grouped(*best->fold.median, 2), toString(best->topology),
                    grouped(*cell.fold.median, 2), toString(cell.topology),
                    percent(*cell.fold.median / *best->fold.median - 1, true))};
}

std::optional<CellFinding> superLinearOf(const Cell& cell) {
    const bool within = cell.efficiencyInterval && cell.efficiencyInterval->low <= 1;
    if (cell.efficiency.value_or(0) <= superLinear || within || cell.topology.worldSize() == 1) {
        return std::nullopt;
    }
    return CellFinding{
        FindingKind::SuperLinear,
        fmt::format("{} on {} devices, efficiency {}", times(*cell.efficiency * cell.topology.worldSize()),
                    cell.topology.worldSize(), percent(*cell.efficiency))};
}

void findMissingBase(const ComparedSeries& series, SeriesFindings& findings) {
    const auto hasFigure = [](const Cell& cell) { return cell.fold.median.has_value(); };
    const auto smallest = std::find_if(series.cells.begin(), series.cells.end(), hasFigure);
    const bool based = std::any_of(series.cells.begin(), series.cells.end(), [&](const Cell& cell) {
        return hasFigure(cell) && cell.topology == Topology{1, 1};
    });
    if (smallest != series.cells.end() && !based) {
        findings[static_cast<std::size_t>(smallest - series.cells.begin())].push_back(
            {FindingKind::NoBase, "the smallest topology with a figure is " + toString(smallest->topology)});
    }
}

std::vector<double> efficienciesOfOthers(const Comparison& comparison, const ComparedSeries& series,
                                         std::size_t index) {
    std::vector<double> others;
    for (const ComparedSeries& other : comparison.series) {
        if (&other != &series && other.cells[index].efficiency) {
            others.push_back(*other.cells[index].efficiency);
        }
    }
    std::sort(others.begin(), others.end());
    return others;
}

void markScalingLossOf(const Comparison& comparison, ComparedSeries& series) {
    for (std::size_t i = 0; i < series.cells.size(); ++i) {
        Cell& cell = series.cells[i];
        const auto others = efficienciesOfOthers(comparison, series, i);
        if (!cell.efficiency || others.size() < enoughOthers ||
            others[others.size() / 2] - *cell.efficiency <= scalingLoss) {
            continue;
        }
        const char* place = cell.topology.nodes == 1 ? "inside one node" : "between nodes";
        cell.findings.push_back(
            {FindingKind::ScalingLoss,
             fmt::format("{}, efficiency {}, the others keep {} to {}", place, percent(*cell.efficiency),
                         percent(others.front()), percent(others.back()))});
        return;  // larger topologies inherit it
    }
}

bool bothHaveFigures(const ComparedSeries& a, const ComparedSeries& b, std::size_t place) {
    return a.cells[place].fold.median && b.cells[place].fold.median;
}

// On how many topologies, if they agree on all that they have in common; else 0.
int agreements(const ComparedSeries& a, const ComparedSeries& b) {
    int common = 0;
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
        if (!bothHaveFigures(a, b, i)) {
            continue;
        }
        if (*a.cells[i].fold.median != *b.cells[i].fold.median) {
            return 0;
        }
        ++common;
    }
    return common;
}

// Several sources may quote the same case; that is no copy but a quotation.
bool mayBeCopies(const ComparedSeries& a, const ComparedSeries& b) {
    const bool quotation =
        a.key.origin == Origin::Published && a.key.origin == b.key.origin && a.key.subject == b.key.subject;
    return a.unit == b.unit && !quotation;
}

void markCopy(ComparedSeries& series, const ComparedSeries& other) {
    for (std::size_t i = 0; i < series.cells.size(); ++i) {
        if (bothHaveFigures(series, other, i)) {
            series.cells[i].findings.push_back(
                {FindingKind::Identical, fmt::format("{}, and {} has the same",
                                                     grouped(*series.cells[i].fold.median, 2), other.title)});
        }
    }
}

}  // namespace

SeriesFindings findingsAlong(const ComparedSeries& series) {
    SeriesFindings findings(series.cells.size());
    const bool higherIsBetter = !lowerIsBetter(series.unit);
    for (std::size_t i = 0; i < series.cells.size(); ++i) {
        const Cell& cell = series.cells[i];
        const std::array<std::optional<CellFinding>, 3> found{
            missingFigureOf(cell), higherIsBetter ? fallOf(series, cell) : std::nullopt,
            higherIsBetter ? superLinearOf(cell) : std::nullopt};
        for (const auto& one : found) {
            if (one) {
                findings[i].push_back(*one);
            }
        }
    }
    if (higherIsBetter) {
        findMissingBase(series, findings);
    }
    return findings;
}

void markScalingLoss(Comparison& comparison) {
    for (ComparedSeries& series : comparison.series) {
        markScalingLossOf(comparison, series);
    }
}

// Series with the same figure at the same place are neighbours: comparing all pairs of thousands would take
// too long.
void markIdentical(Comparison& comparison) {
    std::set<std::pair<const ComparedSeries*, const ComparedSeries*>> marked;
    for (std::size_t place = 0; place < comparison.topologies.size(); ++place) {
        std::map<double, ComparedSeries*> lastWith;
        for (ComparedSeries& series : comparison.series) {
            if (!series.cells[place].fold.median) {
                continue;
            }
            ComparedSeries*& last = lastWith[*series.cells[place].fold.median];
            if (last != nullptr && mayBeCopies(*last, series) && agreements(*last, series) >= enoughTheSame &&
                marked.insert({last, &series}).second) {
                markCopy(*last, series);
                markCopy(series, *last);
            }
            last = &series;
        }
    }
}

}  // namespace dlperf::report
