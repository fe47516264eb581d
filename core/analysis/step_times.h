// SPDX-License-Identifier: Apache-2.0
// Where the time of a run's measured iterations went. dlperf-worker tells it of every rank, below its
// iterations; of other trainers it is what their log's own column of data loading says of rank 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/case.h"

namespace dlperf::analysis {

// Seconds of an iteration, means over the measured range; of a long one over its first 4096 iterations.
struct RankTimes {
    double compute = 0;
    double data = 0;  // waiting for the batch
    double comm = 0;  // waiting for gradients to be reduced: for the exchange, or for a slower rank
    friend bool operator==(const RankTimes&, const RankTimes&) = default;
};

struct StepTimes {
    std::vector<RankTimes> ranks{};    // by rank; empty where the log does not tell
    std::optional<double> exchange{};  // mean over the iterations of the shortest wait of any rank
    std::optional<double> data{};      // of rank 0, where that is all that is known
    std::vector<std::string> nodes{};  // by node rank, as the cluster calls them; empty: unknown
};

// What the worker wrote below its last iteration; nothing where that is not whole, or is of iterations that
// do not begin with the range's first or go beyond its last. `text`: the log, or its end.
[[nodiscard]] std::optional<StepTimes> stepTimesIn(std::string_view text, const MeasurementRange& range);

}  // namespace dlperf::analysis
