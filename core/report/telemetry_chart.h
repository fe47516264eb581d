// SPDX-License-Identifier: Apache-2.0
// What the nodes did over the time of a run, one line a node: their GPUs together, CPU and network; a node
// that used several links has a line for each. Grows as the live chart does. For one thread at a time.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/chart_spec.h"
#include "core/report/sample_line.h"
#include "core/telemetry/samples.h"

namespace dlperf::report {

// Of all GPUs of a node: the mean of use and clock, the sum of power and memory, the hottest; Throttled is
// the share of them that power or heat slow down. OtherProcesses: the processors that the run did not have.
enum class Quantity {
    GpuUse,
    GpuPower,
    GpuClock,
    GpuTemperature,
    GpuMemory,
    GpuThrottled,
    Cpu,
    Network,
    OtherProcesses
};
inline constexpr std::size_t quantityCount = 9;

class TelemetryChart {
public:
    explicit TelemetryChart(const std::vector<std::string>& nodes);

    // Bytes of a node's telemetry.csv in any chunks.
    void feed(std::size_t node, std::string_view bytes);

    // Those that any node has reported.
    [[nodiscard]] std::vector<Quantity> quantities() const;
    [[nodiscard]] ChartSpec chart(Quantity quantity) const;

private:
    struct Node {
        std::string name;
        telemetry::SampleReader reader;
        std::optional<std::int64_t> begin;
        std::map<int, telemetry::GpuSample> round;  // the GPUs of this second so far
        std::array<SampleLine, quantityCount> lines;
        std::map<std::string, SampleLine> links;  // of the network, by name
    };
    static void take(Node& node, const telemetry::HostSample& sample);
    static void take(Node& node, const telemetry::LinkSample& sample);
    static void take(Node& node, const telemetry::GpuSample& sample);
    static void take(Node& node, const telemetry::CpuSample& sample);
    static void take(Node&, const telemetry::AppSample&) {}
    static void take(Node&, const telemetry::MemorySample&) {}
    static void endRound(Node& node);

    std::vector<Node> nodes_;
};

}  // namespace dlperf::report
