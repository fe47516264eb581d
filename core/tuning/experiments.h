// SPDX-License-Identifier: Apache-2.0
// What to try against a loss: plans that measure the case that loses as it was and with one setting changed,
// in one campaign, so that the rank test of its repetitions says whether the change helps. Which settings,
// for which cause, is data, resources/experiments.json:
//
//   [{"causes": ["data-loading"], "options": {"workers": "x2"}, "title": "…", "why": "…"}]
//
// A row has one of "options" (of recipes, the first that the recipe has), "env" (a variable: its value before
// and after), "features" (the first that the recipe has), "batch_size" and "interface" ("another": the next
// of Loser::interfaces); "x2" doubles a number. It is left out where "gpus", "several_nodes", "real_data",
// "idle_processors" (known to be, on all nodes) or "when" (values that options must have) do not hold, and
// against what is unknown where the logs tell how long runs waited for data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/report/difference.h"
#include "core/report/loss.h"
#include "core/report/recorded_environment.h"
#include "core/run/campaign.h"

namespace dlperf::tuning {

struct ExperimentRow {
    std::vector<report::Cause> causes;
    std::string title;  // "Twice as many threads that load data"
    std::string why;    // one sentence
    std::map<std::string, std::string> options{};
    std::map<std::string, std::vector<std::string>> env{};  // before, after
    std::vector<std::string> features{};
    bool doublesBatch = false;
    bool takesOtherInterface = false;
    std::optional<bool> gpus{};
    bool severalNodes = false;
    bool realData = false;
    bool idleProcessors = false;
    std::map<std::string, std::vector<std::string>> when{};
};

// An Input error names the row and the field.
[[nodiscard]] Result<std::vector<ExperimentRow>> experimentRows(const Json& json, const std::string& where);
// Those of the program's own resources.
[[nodiscard]] Result<std::vector<ExperimentRow>> readExperimentRows();

struct Experiment {
    report::Cause cause = report::Cause::Unknown;
    std::string title;
    std::string why;     // sentences
    std::string change;  // "workers: 8 -> 16"
    Case before;
    Case after;
    launch::Plan plan;  // both cases, as often as a rank test needs; else as the campaign's own
};

struct NetworkInterface {
    std::string name;
    bool isOneNetwork = false;  // its addresses on all nodes share a prefix; else that is not recorded
};

// The case that loses.
struct Loser {
    Case benchmarkCase;
    bool hasGpus = false;
    std::vector<NetworkInterface> interfaces{};  // as interfacesOf() gives them
    bool hasIdleProcessors = false;              // known, on all nodes
};

// The network interfaces that all nodes of a run have under one name: the one that all use for the way to
// each other, then others that are not known to be slower, nor to be of different networks: those that are
// known to be of one first, and then the fastest. Empty where the used one is not known.
[[nodiscard]] std::vector<NetworkInterface> interfacesOf(const std::vector<report::NodeFact>& facts);

// At most three for each cause that takes a hundredth of the ideal or more, the largest part first. The
// recipe and the plan are those that the case was run with.
[[nodiscard]] std::vector<Experiment> experimentsFor(const std::vector<report::LossPart>& causes,
                                                     const Loser& loser, const launch::Recipe& recipe,
                                                     const launch::Plan& own,
                                                     const std::vector<ExperimentRow>& rows);

// What the latest campaign with figures of both cases says.
struct Answer {
    report::Difference difference;  // of the changed case to the other
    std::string campaign;           // id
};
[[nodiscard]] std::optional<Answer> answerTo(const Experiment& experiment,
                                             const std::vector<RunResult>& results,
                                             const Vocabulary& vocabulary,
                                             const analysis::FormatBook& formats);
// "Helped by 9.1 % (p = 0.008)", "No difference seen: +0.4 % (p = 0.310)", …
[[nodiscard]] std::string answerText(const Answer& answer);

// The experiments against each loss of a series, with the answers that the workspace has.
struct Tried {
    Topology topology;  // that loses
    Experiment experiment;
    std::optional<Answer> answer{};
};
// Of a series that no campaign of the workspace ran (imports, published figures): none.
[[nodiscard]] Result<std::vector<Tried>> triedIn(const store::Workspace& workspace,
                                                 const report::ComparedSeries& series,
                                                 const std::vector<report::Loss>& losses,
                                                 const std::vector<RunResult>& results,
                                                 const Vocabulary& vocabulary,
                                                 const analysis::FormatBook& formats);

[[nodiscard]] Json toJson(const Tried& tried);

}  // namespace dlperf::tuning
