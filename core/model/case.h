// SPDX-License-Identifier: Apache-2.0
// The words of a benchmark as values: what was measured, on what, how it ended. Everything else builds on
// these.
#pragma once

#include <chrono>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/node_noise.h"

namespace dlperf {

// Nodes and devices per node, written 2n8g. Both are at least 1.
struct Topology {
    int nodes = 1;
    int devices = 1;  // per node

    int worldSize() const { return nodes * devices; }
    // By world size first, so that tables run from small to large; then by nodes.
    friend std::strong_ordering operator<=>(const Topology& a, const Topology& b);
    friend bool operator==(const Topology&, const Topology&) = default;
};

// "4n8g"; any <n>n<g>g with n, g from 1 to 65536, n * g up to 2^30 and no leading zeros ("10n16g" too; letter
// case as written).
[[nodiscard]] std::optional<Topology> parseTopology(std::string_view text);
[[nodiscard]] std::string toString(const Topology& topology);

// The recipe options that change the figure and are not at their defaults, by option name.
using Variant = std::map<std::string, std::string>;

// What a series, a chart line and a speedup base have in common: a case without its topology.
struct Configuration {
    std::string recipe;                 // recipe folder name; empty for imported and published results
    std::string framework;              // vocabulary id, e.g. "pytorch"
    std::string implementation;         // vocabulary id, e.g. "pytorch-examples"
    std::string model;                  // vocabulary id, e.g. "r50"
    std::string precision;              // "fp32", "fp16", "amp", "bf16", "tf32"; empty if unknown
    std::vector<std::string> features;  // vocabulary ids, sorted
    Variant variant;
    int batchSize = 0;  // samples per device; 0 if unknown

    friend auto operator<=>(const Configuration&, const Configuration&) = default;
};

struct Case {
    Configuration configuration;
    Topology topology;

    friend auto operator<=>(const Case&, const Case&) = default;
};

enum class Origin { Own, Imported, Published };
enum class Outcome { Ok, Oom, Failed, Cancelled, Short, NotRun };

[[nodiscard]] const char* toString(Origin origin);  // "own", "imported", "published"
[[nodiscard]] const char* toString(
    Outcome outcome);  // "ok", "oom", "failed", "cancelled", "short", "not-run"
[[nodiscard]] std::optional<Origin> parseOrigin(const std::string& text);
[[nodiscard]] std::optional<Outcome> parseOutcome(const std::string& text);

// The measured part of a run: iterations warmup+1 to train. Measured iterations = train - warmup.
struct MeasurementRange {
    int warmup = 0;
    int train = 0;  // number of the last iteration of the range
    friend auto operator<=>(const MeasurementRange&, const MeasurementRange&) = default;
};

// "20:120", warmup and train
[[nodiscard]] std::string toString(const MeasurementRange& range);

using TimePoint = std::chrono::sys_time<std::chrono::milliseconds>;

// "2026-11-21T09:15:02.123Z"
[[nodiscard]] std::string toIso8601(TimePoint time);
[[nodiscard]] std::optional<TimePoint> parseIso8601(const std::string& text);
[[nodiscard]] TimePoint now();

// Figures of this unit are times, not throughputs: "ms" of an iteration, as logs give it, or "ms/iteration",
// as sources do.
[[nodiscard]] bool lowerIsBetter(const std::string& unit);

// What the analysis of a run's log noticed, or whoever ended the run: see core/analysis.
struct RunFinding {
    std::string kind;   // stable id, e.g. "drift"
    std::string what;   // one sentence
    std::string where;  // "line 17", "node n2"; empty: the log as a whole
    friend bool operator==(const RunFinding&, const RunFinding&) = default;
};

// Which run of a campaign, and which attempt at it: "20261121-081530-3fa2/0007" is the first, "…/0007.2" the
// second.
struct RunId {
    std::string run;
    int attempt = 1;
};
[[nodiscard]] std::string toString(const RunId& id);
[[nodiscard]] RunId parseRunId(const std::string& id);
// "20261121-081530-3fa2"
[[nodiscard]] std::string campaignOfRun(const std::string& id);
// Of the campaign's run number `run`, from 0.
[[nodiscard]] std::string runIdOf(const std::string& campaign, std::size_t run);

// What people read for a campaign's id: "20261121-081530-3fa2" began on 2026-11-21 at 08:15:30 of this
// machine's time. The name of an import and a published source are their own.
[[nodiscard]] std::string campaignTitle(const std::string& campaign, const std::string& plan = {});

// One execution of one case, with its figure when it has one.
struct RunResult {
    std::string id;        // unique in the workspace; of own runs see RunId
    std::string campaign;  // campaign id; for imports the import's name; for published figures the source
    // The campaign whose runs its own makes up, the first of all that do: their figures are one series.
    // Empty where its campaign stands alone.
    std::string completes{};
    Case benchmarkCase;
    int repetition = 0;  // from 1; 0 when a source quotes a folded figure only
    Origin origin = Origin::Own;
    Outcome outcome = Outcome::NotRun;
    std::string reason;  // one sentence for outcomes other than ok
    std::optional<double>
        throughput;  // global samples per second, rounded by the format's rule; or what the unit says
    std::string unit = "images/s";   // see lowerIsBetter()
    std::optional<double> memoryMb;  // of a device at most, where telemetry or a source says so
    std::string format;              // log format, empty if published
    MeasurementRange range;
    std::optional<TimePoint> started;
    std::optional<TimePoint> ended;
    std::optional<TimePoint> imported{};  // when, of an import
    std::string folder;                   // the run's folder, relative to the workspace; empty if published
    bool excluded = false;                // by the user, with exclusionReason; kept, shown, never folded
    std::string exclusionReason;
    // What decides speed, as far as it is known: "driver" -> "535.161.08", "torch" -> "2.1.0". Where the
    // nodes differ a value says which has what.
    std::map<std::string, std::string> versions;
    std::string note{};  // a remark of whoever collected a published figure, e.g. what he had to infer
    std::optional<double> quotedSpeedup;  // as a published source prints it; compared with its own figures
    std::vector<RunFinding> findings{};
    std::vector<NodeNoise> noise{};  // of the nodes where it was recorded
    std::optional<MeasurementRange>
        originalRange{};  // that it was run with, where the user changed it afterwards
    // The recipe's defaults for the options that change the figure: what one that is not in the variant had.
    // Empty where nobody recorded them.
    Variant defaults{};
};

}  // namespace dlperf
