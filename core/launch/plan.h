// SPDX-License-Identifier: Apache-2.0
// A plan: which cases to run, how often. The product of its lists, repetitions innermost.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/launch/repeat_until.h"
#include "core/launch/search.h"
#include "core/model/case.h"

namespace dlperf::launch {

// One case of the product, and how often it is run.
struct PlannedCase {
    std::string recipe;
    Topology topology;
    int batchSize = 0;
    std::string precision;
    std::vector<std::string> features;  // sorted
    std::optional<Variant> variant{};   // else every one that the plan's options and env give
    int repetitions = 1;
};

// Names with one or more values; each value of each is a series of its own.
using Sweep = std::map<std::string, std::vector<std::string>>;

struct Plan {
    std::string name;
    std::vector<std::string> recipes;
    std::vector<Topology> topologies;
    std::vector<int> batchSizes;        // per device
    std::vector<int> globalBatchSizes;  // in their place, for strong scaling: of all devices together
    std::vector<std::string> precisions{"fp32"};
    std::vector<std::vector<std::string>> features{{}};
    std::vector<std::string> nodes;  // names, in order; empty: the cluster's in order
    int repetitions = 1;
    std::optional<int> warmup;  // else the format's
    std::optional<int> train;
    int timeoutSeconds = 3600;
    int pauseSeconds = 0;
    std::map<std::string, Sweep> options;  // recipe -> option -> values
    Sweep env;                             // environment variables of the trainers; part of the case
    // "only", optional: of the product these cases alone, each as often as it says itself; what runs again
    // after failures. A list of {"recipe": …, "topology": …, "batch_size": …, "precision": "fp32",
    // "features": [], "variant": {}, "repetitions": 1}, of which the last four may be missing. Empty: the
    // whole product.
    std::vector<PlannedCase> only;
    // "completes_earlier", optional: the runs make up those that an earlier campaign of the same settings has
    // not, see run::completionOf(): their figures are one series.
    bool completesEarlier = false;
    // "search", optional: {"batch_size": {"most": 65536, "multiple_of": 1}}, both optional. Of each case the
    // largest batch size that fits is found, from the plan's only one on; each value runs once. Or
    // {"option": {"name": "workers", "most": 64, "multiple_of": 1}}: the least value of it that is as fast as
    // any, from the plan's one, or the recipe's default, on.
    std::optional<Search> search;
    // "until", optional: {"width": "2%", "most": 20}. Each case is repeated, `repetitions` times and on,
    // until the 95 % interval of its median is so narrow.
    std::optional<RepeatUntil> until;

    // Its campaign adds runs by what those before found.
    [[nodiscard]] bool addsRuns() const { return search || until; }
};

// Per device; each global one divided among the devices.
[[nodiscard]] std::vector<int> batchSizesOf(const Plan& plan, const Topology& topology);

// Without a variant, whatever that of the case.
[[nodiscard]] bool isOf(const PlannedCase& planned, const Case& wanted);

// One value of each name: what one case is run with.
struct CaseSettings {
    std::map<std::string, std::string> options;
    std::map<std::string, std::string> env;
};
// Every combination of the values that the plan gives this recipe; one that is empty if it gives none.
[[nodiscard]] std::vector<CaseSettings> settingsOf(const Plan& plan, const std::string& recipe);

// An Input error names the field and the range; unknown fields are refused.
[[nodiscard]] Result<Plan> planFromJson(const Json& json, const std::string& where);
[[nodiscard]] Result<Plan> readPlan(const std::filesystem::path& path);
[[nodiscard]] Json toJson(const Plan& plan);

}  // namespace dlperf::launch
