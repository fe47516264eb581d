// SPDX-License-Identifier: Apache-2.0
// The runner's progress on standard error: one line that is redrawn on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "core/run/progress.h"

namespace dlperf::app {

class RunProgressPrinter {
public:
    explicit RunProgressPrinter(bool terminal) : terminal_(terminal) {}
    void operator()(const run::Progress& progress);

private:
    using Clock = std::chrono::steady_clock;

    void printLine(const std::string& line);
    void redraw(const run::Progress& progress);
    [[nodiscard]] std::string timeLeft(const run::Progress& progress) const;

    bool terminal_;
    bool drawn_ = false;  // the redrawn line stands on the terminal
    std::string runId_;   // of the run announced last
    std::string message_;
    Clock::time_point began_ = Clock::now();
    Clock::duration finishedTime_{};
    std::size_t finishedRuns_ = 0;
};

}  // namespace dlperf::app
