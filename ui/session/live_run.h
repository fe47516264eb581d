// SPDX-License-Identifier: Apache-2.0
// Follows the logs of one run from where it last stopped, and tells what they say so far. For one thread at a
// time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/analysis/log_analyzer.h"
#include "core/report/live_chart.h"
#include "core/run/status.h"

namespace dlperf::ui {

struct LiveUpdate {
    std::string runId;
    report::ChartSpec chart;
    std::int64_t iteration = 0;         // last one of node 0
    std::optional<double> median;       // running, of the measured part
    std::optional<double> secondsLeft;  // by the pace of the last iterations; finite
};

class LiveRun {
public:
    explicit LiveRun(const run::RunStatus& status);

    const std::string& id() const { return id_; }
    const std::filesystem::path& folder() const { return folder_; }

    // Reads what the logs hold beyond the last call, a bounded part of it; true when there was something new.
    bool read();
    [[nodiscard]] LiveUpdate update();

private:
    struct Node {
        std::string name;
        std::filesystem::path log;
        std::uint64_t offset = 0;
        std::optional<analysis::LogAnalyzer> analyzer;  // nothing for a format this version does not know
    };
    bool readNode(std::size_t index);

    std::string id_;
    std::filesystem::path folder_;
    Window window_;
    std::vector<Node> nodes_;
    report::LiveChart chart_;
    std::deque<analysis::Iteration> pace_;  // the last ones of node 0
};

}  // namespace dlperf::ui
