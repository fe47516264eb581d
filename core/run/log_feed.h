// SPDX-License-Identifier: Apache-2.0
// Feeds the local copy of node 0's log to the analyzer while the copy grows.
#pragma once

#include <filesystem>
#include <fstream>

#include "core/analysis/log_analyzer.h"

namespace dlperf::run {

class LogFeed {
public:
    // The format is known: launch::prepare() has checked it.
    LogFeed(const std::filesystem::path& log, const analysis::Format& format, analysis::RunShape shape,
            Window window);

    // Reads what came since the last call, but not without bound: a trainer may write faster than we read.
    // True when there is more.
    bool advance();
    [[nodiscard]] bool windowReached() const { return analyzer_.windowReached(); }
    // The last iteration seen so far, if any.
    [[nodiscard]] const std::optional<analysis::Iteration>& latest() const { return latest_; }
    // Reads to the end and closes the log: the final figure.
    [[nodiscard]] analysis::RunFigure finish();

private:
    std::filesystem::path log_;
    std::streamoff read_ = 0;
    analysis::LogAnalyzer analyzer_;
    std::optional<analysis::Iteration> latest_;
};

}  // namespace dlperf::run
