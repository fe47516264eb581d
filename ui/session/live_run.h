// SPDX-License-Identifier: Apache-2.0
// Follows the logs of one run from where it last stopped, and tells what they say so far. For one thread at a
// time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/report/live_chart.h"
#include "core/report/telemetry_chart.h"
#include "core/run/log_follow.h"

namespace dlperf::ui {

// One quantity of all nodes over the time of the run.
struct LiveTelemetry {
    report::Quantity quantity = report::Quantity::Cpu;
    report::ChartSpec chart;
};

struct LiveUpdate {
    std::string runId;
    report::ChartSpec chart;
    std::int64_t iteration = 0;            // last one of node 0
    std::optional<double> median;          // running, of the measured part
    std::optional<double> secondsLeft;     // by the pace of the last iterations; finite
    std::vector<diagnosis::Hint> hints;    // what went wrong, by node and line; also what keeps a node silent
    std::vector<LiveTelemetry> telemetry;  // of what the nodes told of
};

class LiveRun {
public:
    // Without rules no hints are found.
    explicit LiveRun(const run::RunState& run, diagnosis::Rules rules = {});

    const std::string& id() const { return id_; }
    const std::filesystem::path& folder() const { return folder_; }
    const Window& window() const { return window_; }

    // Reads what the logs hold beyond the last call, a bounded part of it; true when there was something new.
    // The alerts of the run's nodes are something too.
    bool read(const std::vector<run::NodeAlert>& alerts = {});
    [[nodiscard]] LiveUpdate update();

private:
    bool readTelemetry(std::size_t node);

    std::string id_;
    std::filesystem::path folder_;
    Window window_;
    run::RunLogs logs_;
    report::LiveChart chart_;
    report::TelemetryChart telemetry_;
    std::vector<std::uint64_t> telemetryRead_;  // bytes, by node
};

}  // namespace dlperf::ui
