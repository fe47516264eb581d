// SPDX-License-Identifier: Apache-2.0
// Follows the logs of one run. For one thread at a time.
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/report/live_chart.h"
#include "core/report/telemetry_chart.h"
#include "core/run/node_log.h"

namespace dlperf::ui {

class Background;

struct LiveTelemetry {
    report::Quantity quantity = report::Quantity::Cpu;
    report::ChartSpec chart;
};

struct LiveUpdate {
    std::string runId;
    report::ChartSpec chart;
    std::int64_t iteration = 0;            // last one of node 0
    bool countsLines = false;              // it is the number of a line that counts
    std::optional<double> median;          // running, of all nodes; the figure is node 0's alone
    std::optional<double> secondsLeft;     // by the pace of the last iterations; finite
    std::vector<diagnosis::Hint> hints;    // what went wrong, by node and line; also what keeps a node silent
    std::vector<LiveTelemetry> telemetry;  // of what the nodes told of
};

class LiveRun {
public:
    explicit LiveRun(const run::RunState& run, diagnosis::Rules rules = {});
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    const std::string& id() const { return id_; }
    const std::filesystem::path& folder() const { return folder_; }
    const MeasurementRange& range() const { return range_; }

    // Reads what the logs hold beyond the last call, a bounded part of it; true when there was something new.
    // The alerts of the run's nodes are something too.
    bool read(const std::vector<run::NodeAlert>& alerts = {});
    [[nodiscard]] LiveUpdate update();

private:
    bool readTelemetry(std::size_t node);

    std::string id_;
    std::filesystem::path folder_;
    MeasurementRange range_;
    report::LiveChart chart_;
    run::RunLogs logs_;  // whose iterations the chart gets
    report::TelemetryChart telemetry_;
    std::vector<std::uint64_t> telemetryRead_;  // bytes, by node
};

// Follows the logs of one run after the other: reads what is new on the background thread.
class RunFollower final : public QObject {
    Q_OBJECT

public:
    RunFollower(Background& background, diagnosis::Rules rules, QObject* parent = nullptr);

    void forget();
    // Asks for what is new; where there is something, updated() follows. False when nothing is to be asked
    // now: an answer is under way, or the run has ended and its logs are read to their end.
    bool poll(const run::RunState& run);

signals:
    void chartChanged(const report::ChartSpec& chart);
    void updated(const LiveUpdate& update);  // without the chart

private:
    Background& background_;
    diagnosis::Rules rules_;
    std::shared_ptr<LiveRun> live_;
    bool pending_ = false;
    bool told_ = false;     // updated() came at least once for this run
    bool settled_ = false;  // the run has ended and its logs are read to their end
};

}  // namespace dlperf::ui
