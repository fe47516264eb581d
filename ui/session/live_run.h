// SPDX-License-Identifier: Apache-2.0
// Follows the logs of one run from where it last stopped, and tells what they say so far. For one thread at a
// time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/analysis/log_analyzer.h"
#include "core/diagnosis/diagnose.h"
#include "core/report/live_chart.h"
#include "core/report/telemetry_chart.h"
#include "core/run/status.h"

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
    explicit LiveRun(const run::RunState& status, diagnosis::Rules rules = {});

    const std::string& id() const { return id_; }
    const std::filesystem::path& folder() const { return folder_; }
    const Window& window() const { return window_; }

    // Reads what the logs hold beyond the last call, a bounded part of it; true when there was something new.
    // What the runner sees wrong with its nodes is something too.
    bool read(const std::vector<run::NodeAlert>& troubles = {});
    [[nodiscard]] LiveUpdate update();

private:
    struct Node {
        std::string name;
        std::filesystem::path log;
        std::uint64_t offset = 0;
        std::filesystem::path telemetry;
        std::uint64_t telemetryOffset = 0;
        std::optional<analysis::LogAnalyzer> analyzer;  // nothing for a format this version does not know
        std::optional<diagnosis::LogDiagnosis> diagnosis;
    };
    bool readNode(std::size_t index);
    bool readTelemetry(std::size_t index);
    bool readRecord();
    bool lookAtTroubles(const std::vector<run::NodeAlert>& troubles);

    std::string id_;
    std::filesystem::path folder_;
    Window window_;
    std::vector<Node> nodes_;
    report::LiveChart chart_;
    report::TelemetryChart telemetry_;
    std::deque<analysis::Iteration> pace_;  // the last ones of node 0
    diagnosis::Rules rules_;
    bool recordRead_ = false;
    std::vector<diagnosis::Hint> recorded_;  // what the runner found that no line says
    std::vector<diagnosis::Hint> troubles_;
};

}  // namespace dlperf::ui
