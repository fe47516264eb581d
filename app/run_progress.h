// SPDX-License-Identifier: Apache-2.0
// The runner's progress on standard error: one line that is redrawn on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/run/progress.h"

namespace dlperf::app {

class RunProgressPrinter {
public:
    // The rules have the words for a log that stands still.
    RunProgressPrinter(bool terminal, diagnosis::Rules rules)
        : terminal_(terminal), rules_(std::move(rules)) {}
    void operator()(const run::Progress& progress);

private:
    using Clock = std::chrono::steady_clock;

    void printLine(const std::string& line);
    void printTroubles(const run::Progress& progress);
    void redraw(const run::Progress& progress);
    [[nodiscard]] std::string timeLeft(const run::Progress& progress) const;

    bool terminal_;
    diagnosis::Rules rules_;
    bool drawn_ = false;  // the redrawn line stands on the terminal
    std::string runId_;   // of the run announced last
    std::string message_;
    std::vector<run::NodeTrouble> troubles_;  // told last
    Clock::time_point began_ = Clock::now();
    Clock::duration finishedTime_{};
    std::size_t finishedRuns_ = 0;
};

}  // namespace dlperf::app
