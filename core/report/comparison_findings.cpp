// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/analysis/rank_test.h"
#include "core/analysis/robust.h"
#include "core/analysis/summary.h"
#include "core/report/compare_steps.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr double wideDeviation = 0.01;
constexpr double skewedBy = 0.025;
constexpr int smallFractions = 2;

// "repetition 5 has 688.80, −75.4 % off the median"
std::string outlierText(const Cell& cell, std::size_t place, double median) {
    return fmt::format("repetition {} has {}, {} off the median", cell.repetitionNumbers[place],
                       grouped(cell.repetitions[place], smallFractions),
                       percent(cell.repetitions[place] / median - 1, true));
}

void findOutliers(const Cell& cell, double median, std::vector<CellFinding>& findings) {
    for (const std::size_t place : analysis::outliersOf(cell.repetitions)) {
        findings.push_back({FindingKind::Outlier, outlierText(cell, place, median)});
    }
}

void findSpread(const Cell& cell, std::vector<CellFinding>& findings) {
    const auto deviation = analysis::robustDeviation(cell.repetitions);
    if (deviation && *deviation > wideDeviation) {
        findings.push_back({FindingKind::WideSpread,
                            fmt::format("{} to {}, a robust standard deviation of {}",
                                        grouped(*cell.fold.minimum, smallFractions),
                                        grouped(*cell.fold.maximum, smallFractions), percent(*deviation))});
    }
}

void findSkew(double average, double median, std::vector<CellFinding>& findings) {
    if (std::abs(average / median - 1) > skewedBy) {
        findings.push_back(
            {FindingKind::Skewed, fmt::format("average {}, median {}", grouped(average, smallFractions),
                                              grouped(median, smallFractions))});
    }
}

void markRepetitions(Cell& cell) {
    std::vector<CellFinding>& findings = cell.findings;
    // Of the repetitions themselves: what a source quotes as their median may be something else.
    const analysis::Fold fold = analysis::fold(cell.repetitions, {.roundOnlyOnOutput = true});
    if (fold.median.value_or(0) > 0) {
        findOutliers(cell, *fold.median, findings);
        findSpread(cell, findings);
        findSkew(*fold.average, *fold.median, findings);
        const bool doDiffer = std::ranges::any_of(findings, [](const CellFinding& finding) {
            return finding.kind == FindingKind::Outlier || finding.kind == FindingKind::WideSpread ||
                   finding.kind == FindingKind::Skewed;
        });
        for (const std::string& what : doDiffer ? cell.heldBack : std::vector<std::string>()) {
            findings.push_back({FindingKind::HeldBack, what});
        }
    }
    if (!cell.versionMix.empty()) {
        findings.push_back({FindingKind::Versions, cell.versionMix});
    }
    if (!cell.changedRange.empty()) {
        findings.push_back({FindingKind::ChangedRange, cell.changedRange});
    }
}

constexpr double fallTolerance = 0.005;
constexpr double superLinear = 1.02;
constexpr double scalingLoss = 0.10;
constexpr std::size_t enoughOthers = 3;
constexpr int enoughTheSame = 3;

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

void markFall(const ComparedSeries& series, Cell& cell) {
    const Cell* best = cell.fold.median ? bestBelow(series, cell) : nullptr;
    if (best == nullptr || *cell.fold.median >= *best->fold.median * (1 - fallTolerance) ||
        analysis::verdictOf(cell.repetitions, best->repetitions) == analysis::Verdict::Alike) {
        return;
    }
    cell.findings.push_back(
        {FindingKind::Falls,
         fmt::format("{} on {}, {} on {} ({})", grouped(*best->fold.median, 2), toString(best->topology),
                     grouped(*cell.fold.median, 2), toString(cell.topology),
                     percent(*cell.fold.median / *best->fold.median - 1, true))});
}

void markSuperLinear(Cell& cell) {
    const bool within = cell.efficiencyInterval && cell.efficiencyInterval->low <= 1;
    const int devices = cell.topology.worldSize();
    if (cell.efficiency.value_or(0) <= superLinear || within || devices == 1) {
        return;
    }
    cell.findings.push_back({FindingKind::SuperLinear,
                             fmt::format("{} on {} devices, efficiency {}", times(*cell.efficiency * devices),
                                         devices, percent(*cell.efficiency))});
}

void markMissingBase(ComparedSeries& series) {
    const auto hasFigure = [](const Cell& cell) { return cell.fold.median.has_value(); };
    const auto smallest = std::ranges::find_if(series.cells, hasFigure);
    const bool based = std::ranges::any_of(series.cells, [&](const Cell& cell) {
        return hasFigure(cell) && cell.topology == Topology{1, 1};
    });
    if (smallest != series.cells.end() && !based) {
        smallest->findings.push_back(
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
    std::ranges::sort(others);
    return others;
}

void markScalingLoss(const Comparison& comparison, ComparedSeries& series) {
    for (std::size_t i = 0; i < series.cells.size(); ++i) {
        Cell& cell = series.cells[i];
        const auto others = efficienciesOfOthers(comparison, series, i);
        if (!cell.efficiency || others.size() < enoughOthers ||
            analysis::medianOf(others) - *cell.efficiency <= scalingLoss) {
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
    const bool quotation = a.key.origin == Origin::Published && a.key.origin == b.key.origin &&
                           a.key.configuration == b.key.configuration;
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

void markAlong(ComparedSeries& series) {
    const bool higherIsBetter = !lowerIsBetter(series.unit);
    for (Cell& cell : series.cells) {
        if (!cell.fold.median && cell.wasTried()) {
            cell.findings.push_back({FindingKind::Missing, cell.missing});
        }
        if (higherIsBetter) {
            markFall(series, cell);
            markSuperLinear(cell);
        }
    }
    if (higherIsBetter) {
        markMissingBase(series);
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

}  // namespace

void markFindings(Comparison& comparison) {
    for (ComparedSeries& series : comparison.series) {
        markAlong(series);
        std::ranges::for_each(series.cells, markRepetitions);
    }
    for (ComparedSeries& series : comparison.series) {
        markScalingLoss(comparison, series);
    }
    markIdentical(comparison);
    for (ComparedSeries& series : comparison.series) {
        for (Cell& cell : series.cells) {
            std::ranges::stable_sort(cell.findings, {}, &CellFinding::kind);
        }
    }
}

}  // namespace dlperf::report
