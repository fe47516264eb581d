// SPDX-License-Identifier: Apache-2.0
// Feeds the local copy of a node's log to the analyzer while the copy grows.
#pragma once

#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

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
    [[nodiscard]] std::uint64_t bytesRead() const { return static_cast<std::uint64_t>(read_); }
    // Those since the last call, or the last ones of them where there were many.
    [[nodiscard]] std::vector<analysis::Iteration> takeIterations() { return std::exchange(fresh_, {}); }
    // The last iteration seen so far, if any.
    [[nodiscard]] const std::optional<analysis::Iteration>& latest() const { return latest_; }
    // Reads to the end and closes the log: the final figure.
    [[nodiscard]] analysis::RunFigure finish();

private:
    std::filesystem::path log_;
    std::streamoff read_ = 0;
    analysis::LogAnalyzer analyzer_;
    std::vector<analysis::Iteration> fresh_;
    std::optional<analysis::Iteration> latest_;
};

}  // namespace dlperf::run
