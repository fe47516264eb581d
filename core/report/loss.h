// SPDX-License-Identifier: Apache-2.0
// Where throughput goes that more devices do not give: the loss of each topology, beside as many times the
// throughput of one device, split by cause. An iteration that takes t instead of t1, as on one device alone,
// loses (t − t1) / t of the ideal; each cause has the part of t − t1 that it explains. Where the logs do not
// tell where the time of each rank goes, the baselines of the hardware tell a part of it (loss_estimates.h).
// What neither tells is unknown, never spread over the others.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/median_interval.h"
#include "core/analysis/step_times.h"
#include "core/base/json.h"
#include "core/model/case.h"
#include "core/report/comparison.h"
#include "core/report/hardware_baselines.h"
#include "core/report/table.h"
#include "core/store/workspace.h"

namespace dlperf::report {

// In the order of charts and tables.
enum class Cause {
    Communication,  // the exchange of gradients, as far as it is not hidden behind computing
    DataLoading,    // waiting for the batch
    SlowRank,       // one rank, or all of one node, computes slower than the others
    Computation,    // all compute slower than one alone
    Jitter,         // ranks that are late in turns
    Noise,          // within what repetitions differ
    Unknown,
};

// "communication", "data-loading", …, for files.
[[nodiscard]] const char* keyOf(Cause cause);
// "communication", "data loading", …
[[nodiscard]] std::string titleOf(Cause cause);

struct LossPart {
    Cause cause = Cause::Unknown;
    // Of the ideal throughput; may be negative: all compute faster than one alone, or the other parts, each a
    // median of its own, together explain more than is lost.
    double share = 0;
    // Of the repetitions' shares, or of what baselines leave open; none: a single run.
    std::optional<analysis::Interval> range{};
    double seconds = 0;      // of an iteration
    std::string where{};     // "node3", "rank 5 (node3)"; empty: all of them
    std::string words{};     // "Ranks are late in turns, by 2.6 ms of an iteration"
    std::string evidence{};  // where it is known from
};

// Of what is unknown, where it is below zero: the others are too much.
[[nodiscard]] bool isBeyondTheLoss(const LossPart& part);
// "communication", "data loading", …; "more explained than lost" of an unknown part below zero.
[[nodiscard]] std::string titleOf(const LossPart& part);

struct Loss {
    Topology topology;
    double reached = 0;  // of the ideal: 0.779
    double ideal = 0;    // as many times the throughput of one device, in the runs' unit
    std::string unit = "images/s";
    std::optional<analysis::Interval> reachedRange{};
    double seconds = 0;  // of an iteration; 0: its batch size is unknown
    int runs = 0;
    int baseRuns = 0;
    std::vector<LossPart> parts{};  // in the order of Cause; they add up to what is lost
    // That runs were disturbed; what whoever collected published figures says of these: why they may be what
    // they are; baselines that cannot be read. Each once.
    std::vector<std::string> remarks{};

    [[nodiscard]] double lost() const { return 1 - reached; }
};

// A run with a figure, and what is known of its times.
struct TimedRun {
    const RunResult* run = nullptr;
    analysis::StepTimes times{};
};

// One for each topology but 1n1g, small to large, of the runs of one series; excluded ones and those without
// a figure do not count. Empty without a run on 1n1g, which the ideal is made of.
[[nodiscard]] std::vector<Loss> lossesOf(const std::vector<TimedRun>& runs,
                                         const HardwareBaselines& baselines = {});

// A series and its losses, by the logs that a workspace keeps of its runs, and what it has of baselines.
struct SeriesLosses {
    std::string title;
    std::string campaign;  // id, or the import's or source's name
    std::vector<Loss> losses;
    std::vector<std::string> tries{};  // against the last one, each a line: see tuning::addLosses()
};
[[nodiscard]] SeriesLosses lossesIn(const store::Workspace& workspace, const HardwareBaselines& baselines,
                                    const analysis::FormatBook& formats, const ComparedSeries& series,
                                    const std::vector<RunResult>& results);

// What losses are told in: percent of the ideal, or the unit of the runs' figures.
enum class LossUnit { Share, Throughput };
inline constexpr std::array<const char*, 2> lossUnitNames{"share", "throughput"};

// "22.1 % of the ideal are lost (21.2 % to 23.0 %), by 5 runs and 5 on 1n1g"; or "2,712 images/s of the ideal
// are lost …". Only the unit is in the language.
[[nodiscard]] std::string lossHeading(const Loss& loss, LossUnit unit = LossUnit::Share,
                                      const Translation& language = {});

// Without those of less than half a thousandth, of which there is nothing to say.
[[nodiscard]] std::vector<LossPart> toldParts(const Loss& loss);
// Less than that of the ideal, either way.
[[nodiscard]] bool losesNothing(const Loss& loss);
// What these are known from, each once.
[[nodiscard]] std::vector<std::string> evidenceOf(const Loss& loss);
// "3.4 % slow rank, node3"
[[nodiscard]] std::string shareText(const Loss& loss, const LossPart& part, LossUnit unit = LossUnit::Share,
                                    const Translation& language = {});
// "13.9 % to 14.6 %"; empty without a range.
[[nodiscard]] std::string rangeText(const Loss& loss, const LossPart& part, LossUnit unit = LossUnit::Share);

[[nodiscard]] Json toJson(const Loss& loss);

// A row a topology: what was reached and lost, and what each cause took of it.
[[nodiscard]] Table lossTable(const std::vector<Loss>& losses);

// Stacked bars, one a topology and 1n1g first: what of the ideal was reached, and above it what each cause
// takes. A part below zero has no height.
[[nodiscard]] ChartSpec lossChart(const std::vector<Loss>& losses, LossUnit unit = LossUnit::Share,
                                  const Translation& language = {});

}  // namespace dlperf::report
