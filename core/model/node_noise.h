// SPDX-License-Identifier: Apache-2.0
// What else went on at a node while a run's figure was taken, and what of it may have held the run back.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dlperf {

// Of a GPU that was held back or shared. Shares of the time, by the reasons that NVML tells for lower clocks.
struct GpuNoise {
    int index = 0;  // as nvidia-smi counts
    std::optional<double> powerCap{};
    std::optional<double> heat{};
    std::optional<double> powerBrake{};  // asked for by the power supply
    std::optional<double> slowdown{};    // by the hardware, which tells neither heat nor power
    std::string neighbour{};             // a process of somebody else on it; empty: none was seen
    friend bool operator==(const GpuNoise&, const GpuNoise&) = default;
};

// Summed up over the samples of a node (core/telemetry/samples.h). What is nothing was not recorded.
struct NodeNoise {
    std::string node;
    bool inRange = false;                 // over the measured iterations; else over all of the run
    int processors = 0;                   // of the whole machine
    std::optional<double> others{};       // processors that other processes kept busy: median
    std::optional<double> othersMost{};   // the same: the most of any look
    std::string busiest{};                // what these were above all; empty: no one stands out, or is seen
    std::optional<double> stolen{};       // processors that the hypervisor gave to other machines: median
    std::optional<double> clock{};        // MHz of the processors: median
    std::optional<double> temperature{};  // °C of the hottest processor
    std::optional<double> heat{};         // share of the time with processors throttled by it
    std::optional<double> gpuClock{};     // MHz of the GPUs' multiprocessors: median
    std::optional<double> gpuTemperature{};  // °C of the hottest GPU
    std::optional<double> gpuUse{};  // share of the time that GPUs worked: mean of those that did at all
    std::optional<double> cpuUse{};  // share of the time of all processors: mean
    std::vector<GpuNoise> gpus{};    // rising index
    std::optional<double> sent{};    // bytes a second to other nodes, RDMA's too: mean
    friend bool operator==(const NodeNoise&, const NodeNoise&) = default;
};

// One thing that may have held a run back.
struct Hindrance {
    const char* kind = "";  // "other-processes", "stolen-time", "heat", "power-cap", …
    std::string where{};    // "node3", "GPU 3 of node3"
    double share = 0;       // of the node's processors, or of the time
    double tellFrom =
        0;               // from this share on it is worth a word of a single run; above 1: beside others only
    std::string what{};  // "on node3 other processes, above all stress-ng, took 1.8 of 2 cores"
};

// All that its record shows, however little of it.
[[nodiscard]] std::vector<Hindrance> hindrancesOf(const NodeNoise& noise);

}  // namespace dlperf
