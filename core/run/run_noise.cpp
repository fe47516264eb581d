// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <utility>
#include <variant>

#include "core/analysis/summary.h"
#include "core/telemetry/samples.h"

namespace dlperf::run {
namespace {

constexpr double standsOut = 0.2;  // of all that others took
constexpr std::size_t mostNames = 1000;
constexpr std::size_t mostGpus = 64;
constexpr std::size_t mostPorts = 64;
constexpr std::size_t fewestLooks = 5;  // at what is sent, and at what processors and GPUs do: means count
constexpr double leastUse = 0.01;       // of a GPU that the run is on
constexpr double wholePercent = 100;

// What is known of a quantity at each look.
class Looks {
public:
    void add(const std::optional<double>& value) {
        if (value) {
            values_.push_back(*value);
        }
    }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] double sum() const {
        double sum = 0;
        for (const double value : values_) {
            sum += value;
        }
        return sum;
    }
    [[nodiscard]] std::optional<double> median() const {
        return empty() ? std::nullopt : std::optional(analysis::medianOf(values_));
    }
    [[nodiscard]] std::optional<double> mean() const {
        return empty() ? std::nullopt : std::optional(sum() / static_cast<double>(values_.size()));
    }
    [[nodiscard]] std::optional<double> most() const {
        return empty() ? std::nullopt : std::optional(std::ranges::max(values_));
    }
    // Of the looks that found any.
    [[nodiscard]] std::optional<double> share() const {
        const auto found = std::ranges::count_if(values_, [](double value) { return value > 0; });
        return empty() ? std::nullopt
                       : std::optional(static_cast<double>(found) / static_cast<double>(values_.size()));
    }

private:
    std::vector<double> values_;
};

struct GpuLooks {
    Looks use;
    Looks powerCap;
    Looks heat;
    Looks powerBrake;
    Looks slowdown;
    std::string neighbour;

    void add(std::uint64_t reasons) {
        const auto has = [&](std::uint64_t reason) { return (reasons & reason) != 0 ? 1.0 : 0.0; };
        powerCap.add(has(telemetry::powerCap));
        heat.add(has(telemetry::heat));
        powerBrake.add(has(telemetry::powerBrake));
        const bool isExplained = (reasons & (telemetry::heat | telemetry::powerBrake)) != 0;
        slowdown.add(isExplained ? 0.0 : has(telemetry::hardwareSlowdown));
    }
};

class NoiseSum {
public:
    explicit NoiseSum(const std::optional<SampleWindow>& window) : window_(window) {}

    void take(const telemetry::Sample& sample) {
        std::visit(
            [&](const auto& one) {
                if (!window_ || (one.time >= window_->first && one.time <= window_->last)) {
                    add(one);
                }
            },
            sample);
    }

    [[nodiscard]] bool isEmpty() const { return others_.empty() && gpus_.empty(); }

    [[nodiscard]] NodeNoise noise(const std::string& node) const {
        NodeNoise noise{.node = node, .inRange = window_.has_value(), .processors = processors_};
        noise.others = others_.median();
        noise.othersMost = others_.most();
        noise.busiest = busiest();
        noise.stolen = stolen_.median();
        noise.clock = clock_.median();
        noise.temperature = temperature_.most();
        noise.heat = throttles_.share();
        noise.gpuClock = gpuClock_.median();
        noise.gpuTemperature = gpuTemperature_.most();
        // IP over InfiniBand is in the figures of both.
        double byRdma = 0;
        for (const auto& [port, sent] : sentByRdma_) {
            byRdma += sent.mean().value_or(0);
        }
        if (sent_.size() >= fewestLooks) {
            noise.sent = std::max(sent_.mean().value_or(0), byRdma);
        }
        if (cpuUse_.size() >= fewestLooks) {
            noise.cpuUse = cpuUse_.mean();
        }
        noise.gpuUse = gpuUse();
        for (const auto& [index, gpu] : gpus_) {
            const GpuNoise one{index,
                               gpu.powerCap.share(),
                               gpu.heat.share(),
                               gpu.powerBrake.share(),
                               gpu.slowdown.share(),
                               gpu.neighbour};
            const bool isHeldBack = one.powerCap.value_or(0) + one.heat.value_or(0) +
                                        one.powerBrake.value_or(0) + one.slowdown.value_or(0) >
                                    0;
            if (isHeldBack || !one.neighbour.empty()) {
                noise.gpus.push_back(one);
            }
        }
        return noise;
    }

private:
    // A look tells of the second before it.
    [[nodiscard]] bool isWholeWithin(std::int64_t time) const { return !window_ || time > window_->first; }
    void add(const telemetry::HostSample& sample) {
        if (isWholeWithin(sample.time)) {
            sent_.add(sample.sent);
            cpuUse_.add(sample.cpu / wholePercent);
        }
    }
    void add(const telemetry::LinkSample& sample) {
        const bool isRdma = sample.name.find(':') != std::string::npos;
        if (isRdma && isWholeWithin(sample.time) &&
            (sentByRdma_.size() < mostPorts || sentByRdma_.contains(sample.name))) {
            sentByRdma_[sample.name].add(sample.sent);
        }
    }
    static void add(const telemetry::MemorySample&) {}
    void add(const telemetry::CpuSample& sample) {
        processors_ = sample.processors;
        others_.add(sample.others);
        stolen_.add(sample.stolen);
        clock_.add(sample.clock);
        temperature_.add(sample.temperature);
        throttles_.add(sample.throttles);
        if (!sample.busiest.empty() && (busy_.size() < mostNames || busy_.contains(sample.busiest))) {
            busy_[sample.busiest] += sample.busy;
        }
    }
    void add(const telemetry::GpuSample& sample) {
        gpuClock_.add(sample.clock);
        gpuTemperature_.add(sample.temperature);
        GpuLooks* gpu = looksAt(sample.index);
        if (gpu == nullptr) {
            return;
        }
        if (sample.use && isWholeWithin(sample.time)) {
            gpu->use.add(*sample.use / wholePercent);
        }
        if (sample.reasons) {
            gpu->add(*sample.reasons);
        }
    }
    void add(const telemetry::AppSample& sample) {
        if (GpuLooks* gpu = looksAt(sample.gpu); gpu != nullptr && gpu->neighbour.empty()) {
            gpu->neighbour = sample.name;
        }
    }

    // Null beyond what a node may have.
    [[nodiscard]] GpuLooks* looksAt(int index) {
        return gpus_.size() < mostGpus || gpus_.contains(index) ? &gpus_[index] : nullptr;
    }

    [[nodiscard]] std::optional<double> gpuUse() const {
        Looks means;
        for (const auto& [index, gpu] : gpus_) {
            if (gpu.use.size() >= fewestLooks && gpu.use.mean() >= leastUse) {
                means.add(gpu.use.mean());
            }
        }
        return means.mean();
    }

    // Empty where no name stands out.
    [[nodiscard]] std::string busiest() const {
        const auto most = std::ranges::max_element(busy_, {}, [](const auto& entry) { return entry.second; });
        return most == busy_.end() || most->second < standsOut * others_.sum() ? std::string() : most->first;
    }

    std::optional<SampleWindow> window_;
    int processors_ = 0;
    Looks others_;
    Looks stolen_;
    Looks clock_;
    Looks temperature_;
    Looks throttles_;
    Looks gpuClock_;
    Looks gpuTemperature_;
    Looks sent_;
    Looks cpuUse_;
    std::map<std::string, Looks> sentByRdma_;  // by port
    std::map<std::string, double> busy_;       // by name, summed over the looks that found it the busiest
    std::map<int, GpuLooks> gpus_;             // by index
};

NoiseSum sumOf(const std::filesystem::path& file, const std::optional<SampleWindow>& window) {
    NoiseSum sum(window);
    telemetry::SampleReader reader;
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 65536> block{};
    while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
        reader.feed({block.data(), static_cast<std::size_t>(stream.gcount())},
                    [&](const telemetry::Sample& sample) { sum.take(sample); });
    }
    return sum;
}

}  // namespace

std::optional<NodeNoise> readNoise(const std::filesystem::path& samples, const std::string& node,
                                   const std::optional<SampleWindow>& window) {
    NoiseSum sum = sumOf(samples, window);
    if (sum.isEmpty() && window) {
        sum = sumOf(samples, {});
    }
    return sum.isEmpty() ? std::nullopt : std::optional(sum.noise(node));
}

std::vector<RunFinding> findingsOf(const std::vector<NodeNoise>& noise) {
    std::map<std::string, std::vector<Hindrance>> byKind;
    for (const NodeNoise& node : noise) {
        for (Hindrance& one : hindrancesOf(node)) {
            if (one.share >= one.tellFrom) {
                byKind[one.kind].push_back(std::move(one));
            }
        }
    }
    std::vector<RunFinding> findings;
    for (const auto& [kind, all] : byKind) {
        const auto worst = std::ranges::max_element(all, {}, &Hindrance::share);
        const std::string more = all.size() == 1 ? std::string()
                                 : all.size() == 2
                                     ? std::string("; likewise at 1 other place")
                                     : fmt::format("; likewise at {} other places", all.size() - 1);
        findings.push_back({kind, worst->what + more, {}});
    }
    return findings;
}

}  // namespace dlperf::run
