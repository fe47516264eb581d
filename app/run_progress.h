// SPDX-License-Identifier: Apache-2.0
// The runner's progress on standard error: one line that is redrawn on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/run/run_state.h"

namespace dlperf::app {

class RunProgressPrinter {
public:
    // The rules have the words for a log that stands still.
    RunProgressPrinter(bool terminal, diagnosis::Rules rules)
        : terminal_(terminal), rules_(std::move(rules)) {}
    void operator()(const run::Campaign& campaign, std::size_t run);

private:
    using Clock = std::chrono::steady_clock;

    void printLine(const std::string& line);
    void printAlerts(const run::RunState& run);
    void redraw(const run::Campaign& campaign, std::size_t number);
    [[nodiscard]] std::string timeLeft(const run::RunState& run, std::size_t waiting) const;

    bool terminal_;
    diagnosis::Rules rules_;
    bool drawn_ = false;  // the redrawn line stands on the terminal
    std::string runId_;   // of the run announced last
    std::string message_;
    std::vector<run::NodeAlert> alerts_;  // told last
    Clock::time_point began_ = Clock::now();
    Clock::duration finishedTime_{};
    std::size_t finishedRuns_ = 0;
};

}  // namespace dlperf::app
