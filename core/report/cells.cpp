// SPDX-License-Identifier: Apache-2.0
#include "core/report/compare_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/format_row.h"
#include "core/report/finding.h"
#include "core/report/held_back.h"
#include "core/report/numbers.h"
#include "core/report/repetition_mix.h"

namespace dlperf::report {
namespace {

using Runs = std::vector<const RunResult*>;

// Two decimals: half of the last place that is printed, and the noise of binary fractions.
constexpr double printedTolerance = 0.00501;

analysis::FoldRule foldRule(const Runs& runs, const analysis::FormatBook& formats) {
    if (runs.empty()) {
        return {};
    }
    const analysis::Format* format = formats.find(runs.front()->format);
    return format == nullptr ? analysis::foldRuleOf(runs.front()->unit) : format->fold;
}

bool hasFigure(const RunResult& run) {
    return run.outcome == Outcome::Ok && !run.excluded && run.throughput && std::isfinite(*run.throughput);
}

bool failed(const RunResult* run) {
    return !run->excluded && run->outcome != Outcome::Ok && run->outcome != Outcome::NotRun &&
           run->outcome != Outcome::Cancelled;
}

// Those that a campaign gave up before they began only its runner knows: counted, its table would say another
// number than all later ones.
std::size_t begun(const Runs& runs) {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [](const RunResult* run) {
        return run->excluded || (run->outcome != Outcome::NotRun && run->outcome != Outcome::Cancelled);
    }));
}

// "3 of 3 failed: out of memory"
std::string counted(int count, std::size_t all, const char* what, const std::string& reason) {
    std::string text = fmt::format("{} of {} {}", count, all, what);
    return reason.empty() ? text : text + ": " + reason;
}

std::string failedText(const Runs& runs, int count) {
    return count == 0 ? std::string()
                      : counted(count, begun(runs), "failed",
                                (*std::find_if(runs.rbegin(), runs.rend(), failed))->reason);
}

using Why = std::pair<MissingReason, std::string>;

Why whyMissing(const Runs& runs, Origin origin, const Cell& cell) {
    const auto ended = [&](Outcome outcome) {
        return std::ranges::any_of(
            runs, [&](const RunResult* run) { return run->outcome == outcome && !run->excluded; });
    };
    if (ended(Outcome::Oom)) {
        return {MissingReason::OutOfMemory, "OOM"};
    }
    if (cell.failed > 0) {
        return {MissingReason::Failed, cell.failures};
    }
    if (cell.excluded > 0) {
        const auto excluded = [](const RunResult* run) { return run->excluded; };
        return {MissingReason::Excluded,
                counted(cell.excluded, begun(runs), "excluded",
                        (*std::find_if(runs.rbegin(), runs.rend(), excluded))->exclusionReason)};
    }
    if (origin != Origin::Published) {
        return {MissingReason::NotMeasured, "not measured"};
    }
    const auto announced = std::ranges::find_if(
        runs, [](const RunResult* run) { return run->outcome == Outcome::NotRun && !run->reason.empty(); });
    return announced == runs.end() ? Why{MissingReason::NotPublished, "not published"}
                                   : Why{MissingReason::Announced, (*announced)->reason};
}

// A median by whoever published it, not a run.
bool isFolded(const RunResult& run) {
    return run.repetition == 0 && run.origin == Origin::Published;
}

// The figures of one cell in repetition order, without those that a source quotes folded.
void takeRepetitions(const Runs& runs, Cell& cell) {
    for (const RunResult* run : runs) {
        if (hasFigure(*run) && !isFolded(*run)) {
            cell.repetitions.push_back(*run->throughput);
            cell.repetitionNumbers.push_back(run->repetition);
        }
    }
}

Runs withFigures(const Runs& runs) {
    Runs kept;
    std::ranges::copy_if(runs, std::back_inserter(kept),
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

// Of quoted figures: those of repetitions say how they were numbered.
std::set<std::string> remarksOf(const Runs& runs) {
    std::set<std::string> remarks;
    for (const RunResult* run : runs) {
        if (isFolded(*run) && !run->note.empty()) {
            remarks.insert(run->note);
        }
    }
    return remarks;
}

// Which nodes of the largest topology are one machine; those of smaller ones are among them.
std::string sharedMachine(const Runs& runs) {
    const RunResult* largest = nullptr;
    std::string shared;
    for (const RunResult* run : runs) {
        const RunFinding* said = findingOf(*run, FindingKind::OneMachine);
        if (said != nullptr &&
            (largest == nullptr || run->benchmarkCase.topology > largest->benchmarkCase.topology)) {
            largest = run;
            shared = said->what;
        }
    }
    return shared;
}

Cell foldCell(const Runs& runs, const Topology& topology, Origin origin, const analysis::FoldRule& rule,
              std::vector<std::string>& dataWarnings) {
    Cell cell;
    cell.topology = topology;
    takeRepetitions(runs, cell);
    cell.interval = analysis::medianInterval(cell.repetitions);
    cell.fold = analysis::fold(cell.repetitions, rule);
    cell.versionMix = versionMix(withFigures(runs));
    cell.findings = logFindings(runs);
    cell.changedRange = changedRange(runs);
    cell.heldBack = whatHeldSlowOnesBack(withFigures(runs));
    if (cell.repetitions.size() > 1) {
        cell.range = {*cell.fold.minimum, *cell.fold.maximum};
    }
    const RunResult* quoted = nullptr;
    for (const RunResult* run : runs) {
        cell.excluded += run->excluded ? 1 : 0;
        cell.failed += failed(run) ? 1 : 0;
        cell.memoryMb = std::max(cell.memoryMb, run->memoryMb);
        if (!isFolded(*run) || !hasFigure(*run)) {
            continue;
        }
        if (quoted == nullptr) {
            quoted = run;
        } else if (*run->throughput != *quoted->throughput) {
            dataWarnings.push_back(fmt::format("quotes both {} and {} for {}; the first is shown",
                                               grouped(*quoted->throughput, 2), grouped(*run->throughput, 2),
                                               toString(topology)));
        }
    }
    if (quoted != nullptr) {
        cell.fold.median = quoted->throughput;
    }
    cell.failures = failedText(runs, cell.failed);
    if (!cell.fold.median) {
        std::tie(cell.missingReason, cell.missing) = whyMissing(runs, origin, cell);
    }
    return cell;
}

std::optional<double> quotedSpeedup(const Runs& runs) {
    for (const RunResult* run : runs) {
        if (isFolded(*run) && run->quotedSpeedup && hasFigure(*run)) {
            return run->quotedSpeedup;
        }
    }
    return std::nullopt;
}

std::optional<analysis::Interval> over(const std::optional<analysis::Interval>& interval, int devices) {
    return interval ? std::optional(analysis::Interval{interval->low / devices, interval->high / devices})
                    : std::nullopt;
}

// Of a figure that is better when it is lower there is no speedup to speak of: the sources vary the work,
// too.
void scale(Cell& cell, const Cell* baseCell, const Runs& runs, const analysis::FoldRule& rule,
           std::vector<std::string>& dataWarnings) {
    if (!cell.fold.median || lowerIsBetter(runs.front()->unit)) {
        return;
    }
    const analysis::Fold* base = baseCell == nullptr ? nullptr : &baseCell->fold;
    const auto quoted = quotedSpeedup(runs);
    const auto exact = base == nullptr || !base->median || *base->median == 0
                           ? std::nullopt
                           : std::optional(*cell.fold.median / *base->median);
    cell.speedup = base == nullptr ? quoted : analysis::speedup(cell.fold, *base, rule);
    // Not from the rounded speedup: 6.65 of 8 is 83.1 %, the figures behind it give 83.2 %.
    cell.efficiency = analysis::scalingEfficiency(exact ? exact : cell.speedup, cell.topology.worldSize());
    if (baseCell != nullptr && baseCell->topology != cell.topology) {
        cell.speedupInterval = analysis::ratioInterval(cell.repetitions, baseCell->repetitions);
        cell.efficiencyInterval = over(cell.speedupInterval, cell.topology.worldSize());
    }
    if (quoted && exact && std::abs(*quoted - *exact) > printedTolerance) {
        dataWarnings.push_back(fmt::format("quotes a speedup of {} for {}, its figures give {}",
                                           times(*quoted), toString(cell.topology), times(*exact)));
        cell.findings.push_back({FindingKind::QuotedSpeedup,
                                 fmt::format("{}, the figures give {}", times(*quoted), times(*exact))});
    }
}

}  // namespace

FoldedSeries foldSeries(const Runs& runs, const std::vector<Topology>& topologies,
                        const analysis::FormatBook& formats) {
    FoldedSeries folded;
    const analysis::FoldRule rule = foldRule(runs, formats);
    const Origin origin = runs.empty() ? Origin::Own : runs.front()->origin;
    const Runs measured = withFigures(runs);
    folded.driver = driverOf(measured);
    if (const std::string mix = versionMix(measured); !mix.empty()) {
        folded.dataWarnings.push_back("was measured with different versions: " + mix);
    }
    if (const std::string shared = sharedMachine(measured); !shared.empty()) {
        folded.dataWarnings.push_back("was measured on nodes that share a machine: " + shared);
    }
    for (const std::string& remark : remarksOf(measured)) {
        folded.dataWarnings.push_back("is published with a remark: " + remark);
    }
    std::vector<Runs> byCell;
    for (const Topology& topology : topologies) {
        Runs here;
        std::ranges::copy_if(runs, std::back_inserter(here),
                             [&](const RunResult* run) { return run->benchmarkCase.topology == topology; });
        std::ranges::stable_sort(
            here, [](const RunResult* a, const RunResult* b) { return a->repetition < b->repetition; });
        folded.cells.push_back(foldCell(here, topology, origin, rule, folded.dataWarnings));
        byCell.push_back(std::move(here));
    }
    const auto one = std::ranges::find_if(folded.cells, [](const Cell& cell) {
        return cell.topology == Topology{1, 1} && cell.fold.median;
    });
    const Cell* base = one == folded.cells.end() ? nullptr : &*one;
    for (std::size_t i = 0; i < folded.cells.size(); ++i) {
        scale(folded.cells[i], base, byCell[i], rule, folded.dataWarnings);
    }
    for (Cell& cell : folded.cells) {  // only now: speedups come from what was folded unrounded
        cell.fold.average = analysis::printed(cell.fold.average, rule, rule.averageDecimals);
        cell.fold.median = analysis::printed(cell.fold.median, rule, rule.medianDecimals);
        cell.speedup = analysis::printed(cell.speedup, rule);
    }
    return folded;
}

}  // namespace dlperf::report
