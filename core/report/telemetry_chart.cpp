// SPDX-License-Identifier: Apache-2.0
#include "core/report/telemetry_chart.h"

#include <algorithm>
#include <utility>

namespace dlperf::report {
namespace {

constexpr std::size_t mostLinks = 16;  // of a node
constexpr double bytesInMegabyte = 1e6;
constexpr double mebibytesInGibibyte = 1024;
constexpr double wholePercent = 100;

struct Look {
    const char* title;
    const char* unit;
    bool isShare;
};

constexpr std::array<Look, quantityCount> looks{{{"GPU use", "%", true},
                                                 {"GPU power", "W", false},
                                                 {"GPU clock", "MHz", false},
                                                 {"GPU temperature", "°C", false},
                                                 {"GPU memory", "GiB", false},
                                                 {"GPUs throttled", "%", true},
                                                 {"CPU load", "%", true},
                                                 {"Network", "MB/s", false},
                                                 {"Other processes", "cores", false}}};

SampleLine& lineOf(std::array<SampleLine, quantityCount>& lines, Quantity quantity) {
    return lines.at(static_cast<std::size_t>(quantity));
}

struct Sum {
    double sum = 0;
    double highest = 0;
    int count = 0;
    void add(const std::optional<double>& value) {
        if (value) {
            sum += *value;
            highest = std::max(highest, *value);
            ++count;
        }
    }
};

}  // namespace

TelemetryChart::TelemetryChart(const std::vector<std::string>& nodes) {
    for (const std::string& name : nodes) {
        nodes_.push_back({.name = name, .reader = {}, .begin = {}, .round = {}, .lines = {}, .links = {}});
    }
}

void TelemetryChart::feed(std::size_t index, std::string_view bytes) {
    Node& node = nodes_.at(index);
    node.reader.feed(bytes, [&](const telemetry::Sample& sample) {
        std::visit([&](const auto& one) { take(node, one); }, sample);
    });
}

void TelemetryChart::take(Node& node, const telemetry::HostSample& sample) {
    node.begin = node.begin.value_or(sample.time);
    const auto x = static_cast<double>(sample.time - *node.begin);
    lineOf(node.lines, Quantity::Cpu).append({x, sample.cpu});
    lineOf(node.lines, Quantity::Network).append({x, (sample.received + sample.sent) / bytesInMegabyte});
}

void TelemetryChart::take(Node& node, const telemetry::LinkSample& sample) {
    if (!node.begin || (node.links.size() == mostLinks && !node.links.contains(sample.name))) {
        return;
    }
    const auto x = static_cast<double>(sample.time - *node.begin);
    node.links[sample.name].append({x, (sample.received + sample.sent) / bytesInMegabyte});
}

void TelemetryChart::take(Node& node, const telemetry::CpuSample& sample) {
    node.begin = node.begin.value_or(sample.time);
    lineOf(node.lines, Quantity::OtherProcesses)
        .append({static_cast<double>(sample.time - *node.begin), sample.others});
}

// A GPU that reports again begins the next second.
void TelemetryChart::take(Node& node, const telemetry::GpuSample& sample) {
    node.begin = node.begin.value_or(sample.time);
    if (node.round.contains(sample.index)) {
        endRound(node);
    }
    node.round[sample.index] = sample;
}

void TelemetryChart::endRound(Node& node) {
    Sum use;
    Sum power;
    Sum clock;
    Sum heat;
    Sum memory;
    Sum throttled;
    for (const auto& [index, gpu] : node.round) {
        use.add(gpu.use);
        power.add(gpu.power);
        clock.add(gpu.clock);
        heat.add(gpu.temperature);
        memory.add(gpu.memoryUsed);
        const auto isThrottled = gpu.isThrottled();
        throttled.add(isThrottled ? std::optional(*isThrottled ? wholePercent : 0.0) : std::nullopt);
    }
    const auto x = static_cast<double>(node.round.begin()->second.time - *node.begin);
    const auto add = [&](Quantity quantity, const Sum& sum, double value) {
        if (sum.count > 0) {
            lineOf(node.lines, quantity).append({x, value});
        }
    };
    add(Quantity::GpuUse, use, use.sum / use.count);
    add(Quantity::GpuPower, power, power.sum);
    add(Quantity::GpuClock, clock, clock.sum / clock.count);
    add(Quantity::GpuTemperature, heat, heat.highest);
    add(Quantity::GpuMemory, memory, memory.sum / mebibytesInGibibyte);
    add(Quantity::GpuThrottled, throttled, throttled.sum / throttled.count);
    node.round.clear();
}

std::vector<Quantity> TelemetryChart::quantities() const {
    std::vector<Quantity> known;
    for (std::size_t i = 0; i < quantityCount; ++i) {
        if (std::ranges::any_of(nodes_, [&](const Node& node) { return node.lines.at(i).size() > 1; })) {
            known.push_back(static_cast<Quantity>(i));
        }
    }
    return known;
}

ChartSpec TelemetryChart::chart(Quantity quantity) const {
    const Look& look = looks.at(static_cast<std::size_t>(quantity));
    ChartSpec chart;
    chart.title = look.title;
    chart.unit = look.unit;
    chart.x = {.title = "Seconds", .scale = AxisScale::Linear, .lowest = 0};
    chart.y.lowest = 0;
    if (look.isShare) {
        chart.y.highest = wholePercent;
    }
    const auto add = [&](const std::string& title, const SampleLine& line) {
        chart.series.push_back({.key = title,
                                .title = title,
                                .fill = static_cast<int>(chart.series.size()),
                                .samples = std::make_shared<const SampleLine>(line)});
    };
    for (const Node& node : nodes_) {
        if (quantity != Quantity::Network || node.links.size() < 2) {
            add(node.name, node.lines.at(static_cast<std::size_t>(quantity)));
            continue;
        }
        for (const auto& [name, line] : node.links) {
            add(node.name + ", " + name, line);
        }
    }
    return chart;
}

}  // namespace dlperf::report
