// SPDX-License-Identifier: Apache-2.0
// What the runner tells while it works, for a progress bar or a line in a log. The window reads status.h
// instead.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/diagnosis/diagnose.h"
#include "core/model/case.h"
#include "core/run/node_trouble.h"
#include "core/run/status.h"

namespace dlperf::run {

struct Progress {
    std::size_t run = 0;    // from 0
    std::size_t total = 0;  // runs of the campaign
    std::string runId;
    Case benchmarkCase;
    int repetition = 0;
    Window window;
    std::string unit;
    RunState state = RunState::Queued;
    std::int64_t iteration = 0;            // last one seen
    std::optional<double> throughput;      // at that iteration; the run's figure once Finished
    Outcome outcome = Outcome::NotRun;     // once Finished
    std::string message;                   // not empty: something to tell, e.g. that a node is not reached
    std::vector<NodeTrouble> troubles{};   // as it is now, while it runs
    std::vector<diagnosis::Hint> hints{};  // once Finished: what went wrong, and what helps
};

using Observer = std::function<void(const Progress&)>;

}  // namespace dlperf::run
