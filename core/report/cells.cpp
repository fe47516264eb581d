// SPDX-License-Identifier: Apache-2.0
#include "core/report/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/analysis/format_row.h"
#include "core/report/numbers.h"
#include "core/report/version_mix.h"

namespace dlperf::report {
namespace {

using Runs = std::vector<const RunResult*>;

// Two decimals: half of the last place that is printed, and the noise of binary fractions.
constexpr double printedTolerance = 0.00501;

analysis::FoldRule foldRule(const Runs& runs) {
    const analysis::Format* format = runs.empty() ? nullptr : analysis::findFormat(runs.front()->format);
    return format == nullptr ? analysis::FoldRule{} : format->fold;
}

bool hasFigure(const RunResult& run) {
    return run.outcome == Outcome::Ok && !run.excluded && run.throughput && std::isfinite(*run.throughput);
}

bool failed(const RunResult* run) {
    return !run->excluded && run->outcome != Outcome::Ok && run->outcome != Outcome::NotRun;
}

// "3 of 3 failed: out of memory"
std::string counted(int count, std::size_t all, const char* what, const std::string& reason) {
    std::string text = fmt::format("{} of {} {}", count, all, what);
    return reason.empty() ? text : text + ": " + reason;
}

std::string whyMissing(const Runs& runs, Origin origin, const Cell& cell) {
    const auto ended = [&](Outcome outcome) {
        return std::any_of(runs.begin(), runs.end(),
                           [&](const RunResult* run) { return run->outcome == outcome && !run->excluded; });
    };
    if (ended(Outcome::Oom)) {
        return "OOM";
    }
    if (cell.failed > 0) {
        return counted(cell.failed, runs.size(), "failed",
                       (*std::find_if(runs.rbegin(), runs.rend(), failed))->reason);
    }
    if (cell.excluded > 0) {
        const auto excluded = [](const RunResult* run) { return run->excluded; };
        return counted(cell.excluded, runs.size(), "excluded",
                       (*std::find_if(runs.rbegin(), runs.rend(), excluded))->exclusionReason);
    }
    return origin == Origin::Published ? "not published" : "not measured";
}

// The figures of one cell in repetition order, without those that a source quotes folded.
std::vector<double> repetitionsOf(const Runs& runs) {
    std::vector<double> figures;
    for (const RunResult* run : runs) {
        if (hasFigure(*run) && run->repetition > 0) {
            figures.push_back(*run->throughput);
        }
    }
    return figures;
}

Runs withFigures(const Runs& runs) {
    Runs kept;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(kept),
                 [](const RunResult* run) { return hasFigure(*run); });
    return kept;
}

std::string driverOf(const Runs& runs) {
    std::set<std::string> drivers;
    for (const RunResult* run : runs) {
        if (const auto found = run->versions.find("driver"); found != run->versions.end()) {
            drivers.insert(found->second);
        }
    }
    return drivers.size() == 1 ? *drivers.begin() : std::string();
}

Cell foldCell(const Runs& runs, const Topology& topology, Origin origin, const analysis::FoldRule& rule,
              std::vector<std::string>& doubts) {
    Cell cell;
    cell.topology = topology;
    cell.repetitions = repetitionsOf(runs);
    cell.fold = analysis::fold(cell.repetitions, rule);
    cell.versionMix = versionMix(withFigures(runs));
    if (cell.repetitions.size() > 1) {
        cell.range = {*cell.fold.minimum, *cell.fold.maximum};
    }
    const RunResult* quoted = nullptr;
    for (const RunResult* run : runs) {
        cell.excluded += run->excluded ? 1 : 0;
        cell.failed += failed(run) ? 1 : 0;
        if (run->repetition > 0 || !hasFigure(*run)) {
            continue;
        }
        if (quoted == nullptr) {
            quoted = run;
        } else if (*run->throughput != *quoted->throughput) {
            doubts.push_back(fmt::format("quotes both {} and {} for {}; the first is shown",
                                         grouped(*quoted->throughput, 2), grouped(*run->throughput, 2),
                                         toString(topology)));
        }
    }
    if (quoted != nullptr) {
        cell.fold.median = quoted->throughput;
    }
    if (!cell.fold.median) {
        cell.missing = whyMissing(runs, origin, cell);
    }
    return cell;
}

std::optional<double> quotedSpeedup(const Runs& runs) {
    for (const RunResult* run : runs) {
        if (run->repetition == 0 && run->quotedSpeedup && hasFigure(*run)) {
            return run->quotedSpeedup;
        }
    }
    return std::nullopt;
}

void scale(Cell& cell, const analysis::Fold* base, const Runs& runs, const analysis::FoldRule& rule,
           std::vector<std::string>& doubts) {
    if (!cell.fold.median) {
        return;
    }
    const auto quoted = quotedSpeedup(runs);
    const auto exact = base == nullptr || !base->median || *base->median == 0
                           ? std::nullopt
                           : std::optional(*cell.fold.median / *base->median);
    cell.speedup = base == nullptr ? quoted : analysis::speedup(cell.fold, *base, rule);
    // Not from the rounded speedup: 6.65 of 8 is 83.1 %, the figures behind it give 83.2 %.
    cell.efficiency = analysis::scalingEfficiency(exact ? exact : cell.speedup, cell.topology.worldSize());
    if (quoted && exact && std::abs(*quoted - *exact) > printedTolerance) {
        doubts.push_back(fmt::format("quotes a speedup of {} for {}, its figures give {}", times(*quoted),
                                     toString(cell.topology), times(*exact)));
    }
}

}  // namespace

FoldedSeries foldSeries(const Runs& runs, const std::vector<Topology>& topologies) {
    FoldedSeries folded;
    const analysis::FoldRule rule = foldRule(runs);
    const Origin origin = runs.empty() ? Origin::Own : runs.front()->origin;
    const Runs measured = withFigures(runs);
    folded.driver = driverOf(measured);
    if (const std::string mix = versionMix(measured); !mix.empty()) {
        folded.doubts.push_back("was measured with different versions: " + mix);
    }
    std::vector<Runs> byCell;
    for (const Topology& topology : topologies) {
        Runs here;
        std::copy_if(runs.begin(), runs.end(), std::back_inserter(here),
                     [&](const RunResult* run) { return run->benchmarkCase.topology == topology; });
        std::stable_sort(here.begin(), here.end(), [](const RunResult* a, const RunResult* b) {
            return a->repetition < b->repetition;
        });
        folded.cells.push_back(foldCell(here, topology, origin, rule, folded.doubts));
        byCell.push_back(std::move(here));
    }
    const auto one = std::find_if(folded.cells.begin(), folded.cells.end(), [](const Cell& cell) {
        return cell.topology == Topology{1, 1} && cell.fold.median;
    });
    std::optional<analysis::Fold> base;
    if (one != folded.cells.end()) {
        base = one->fold;
    }
    for (std::size_t i = 0; i < folded.cells.size(); ++i) {
        scale(folded.cells[i], base ? &*base : nullptr, byCell[i], rule, folded.doubts);
    }
    for (Cell& cell : folded.cells) {  // only now: speedups come from what was folded unrounded
        cell.fold.average = analysis::printed(cell.fold.average, rule);
        cell.fold.median = analysis::printed(cell.fold.median, rule);
        cell.speedup = analysis::printed(cell.speedup, rule);
    }
    return folded;
}

}  // namespace dlperf::report
