// SPDX-License-Identifier: Apache-2.0
// What a log tells: of the run's shape, of each iteration, and the run's figure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/case.h"

namespace dlperf::analysis {

// What the path, the plan or the log's own header says about the run.
struct RunShape {
    Topology topology;
    int batchSize = 0;      // samples per device; 0 if only the log's header knows
    int workerDevices = 1;  // that one of its workers drives
    int accumulation = 1;   // batches of each device whose gradients one iteration sums

    // Samples of one iteration.
    std::int64_t globalBatchSize() const {
        return static_cast<std::int64_t>(topology.nodes) * topology.devices * batchSize * accumulation;
    }
    friend bool operator==(const RunShape&, const RunShape&) = default;
};

// One counted log line; a line may stand for several iterations (stride) in formats that print every n-th.
struct Iteration {
    std::int64_t number = 0;           // as the format counts: the n-th counted line, or the printed number
    std::int64_t line = 0;             // line in the log, from 1
    std::optional<double> seconds;     // duration of one iteration
    std::optional<double> throughput;  // global samples per second at this line
    std::optional<double> loss;
    std::optional<double> dataSeconds;  // time that the step waited for data, where printed
};

// Something the analysis noticed: what, where, how much. Never changes an exit code. `where` names file and
// line, or the case.
using Finding = RunFinding;

// Why a log gives no figure.
enum class MissingReason {
    None,  // it gives one
    NoHeader,
    UnreadableLine,  // DLPerf's extractor aborts there
    EndsEarly,       // before the range does
    NoSpeed,         // the lines of the range give none
};

// The figure of one run by the format's rule, rounded by the format's rounding (OneFlow's stays unrounded).
struct RunFigure {
    std::optional<double> value;        // nothing when the range was not reached
    std::optional<double> dlperfValue;  // what DLPerf's extractor gives, where it differs (0 for a short run)
    MissingReason missing = MissingReason::None;
    std::string whyNone;             // the reason in words
    std::int64_t lastIteration = 0;  // highest iteration number seen
    bool hasLines = false;           // some line is one that the format counts
    // The last one before the printed numbers begin anew, with the next epoch; 0 where they do not.
    std::int64_t firstPass = 0;
    // Where the range lacks the lines that its rule needs: a range near it that begins and ends at some.
    std::optional<MeasurementRange> betweenLines{};
    std::optional<RunShape> headerShape;        // what the log's own header says, where the format has one
    std::map<std::string, std::string> header;  // the header's words as printed ("precision": "fp32")
    std::vector<Finding> findings;              // in log order
};

}  // namespace dlperf::analysis
