// SPDX-License-Identifier: Apache-2.0
#include "core/report/repetition_findings.h"

#include <fmt/format.h>

#include <cmath>

#include "core/analysis/robust.h"
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

}  // namespace

std::vector<CellFinding> repetitionFindings(const Cell& cell) {
    std::vector<CellFinding> findings;
    // Of the repetitions themselves: what a source quotes as their median may be something else.
    const analysis::Fold fold = analysis::fold(cell.repetitions, {.roundOnlyOnOutput = true});
    if (fold.median.value_or(0) > 0) {
        findOutliers(cell, *fold.median, findings);
        findSpread(cell, findings);
        findSkew(*fold.average, *fold.median, findings);
    }
    if (!cell.versionMix.empty()) {
        findings.push_back({FindingKind::Versions, cell.versionMix});
    }
    if (!cell.changedWindow.empty()) {
        findings.push_back({FindingKind::ChangedWindow, cell.changedWindow});
    }
    return findings;
}

}  // namespace dlperf::report
