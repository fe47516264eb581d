// SPDX-License-Identifier: Apache-2.0
#include "core/model/node_noise.h"

#include <fmt/format.h>

#include "core/model/node_name.h"

namespace dlperf {
namespace {

constexpr double wholePercent = 100;
constexpr double tellOfProcessors = 0.10;
constexpr double tellOfTime = 0.05;
constexpr double never = 2;  // most GPUs run into their power cap most of the time

void addProcessors(const NodeNoise& noise, std::vector<Hindrance>& found) {
    const std::string node = nodeTitle(noise.node);
    const auto add = [&](const char* kind, const std::optional<double>& busy, const auto& words) {
        if (busy.value_or(0) > 0 && noise.processors > 0) {
            found.push_back({.kind = kind,
                             .where = noise.node,
                             .share = *busy / noise.processors,
                             .tellFrom = tellOfProcessors,
                             .what = words(*busy)});
        }
    };
    add("other-processes", noise.others, [&](double busy) {
        return noise.busiest.empty()
                   ? fmt::format("on {} other processes took {:.1f} of {} cores", node, busy,
                                 noise.processors)
                   : fmt::format("on {} other processes, above all {}, took {:.1f} of {} cores", node,
                                 noise.busiest, busy, noise.processors);
    });
    add("stolen-time", noise.stolen, [&](double stolen) {
        return fmt::format("on {} the hypervisor took {:.1f} of {} cores", node, stolen, noise.processors);
    });
    if (noise.heat.value_or(0) > 0) {
        found.push_back({.kind = "heat",
                         .where = noise.node,
                         .share = *noise.heat,
                         .tellFrom = tellOfTime,
                         .what = fmt::format("on {} heat held processors back in {:.0f} % of the time", node,
                                             *noise.heat * wholePercent)});
    }
}

void addGpu(const NodeNoise& noise, const GpuNoise& gpu, std::vector<Hindrance>& found) {
    const std::string where = fmt::format("GPU {} of {}", gpu.index, nodeTitle(noise.node));
    const auto add = [&](const char* kind, const std::optional<double>& share, const std::string& what) {
        if (share.value_or(0) > 0) {
            found.push_back({.kind = kind,
                             .where = where,
                             .share = *share,
                             .tellFrom = &share == &gpu.powerCap ? never : tellOfTime,
                             .what = what});
        }
    };
    const auto of = [](const std::optional<double>& share) { return share.value_or(0) * wholePercent; };
    add("power-cap", gpu.powerCap,
        fmt::format("{} was held back by its power cap in {:.0f} % of the time", where, of(gpu.powerCap)));
    add("gpu-heat", gpu.heat,
        fmt::format("{} was held back by heat in {:.0f} % of the time", where, of(gpu.heat)));
    add("power-brake", gpu.powerBrake,
        fmt::format("{} was held back by a power brake in {:.0f} % of the time", where, of(gpu.powerBrake)));
    add("gpu-slowdown", gpu.slowdown,
        fmt::format("{} was slowed down by its hardware in {:.0f} % of the time", where, of(gpu.slowdown)));
    if (!gpu.neighbour.empty()) {
        found.push_back({.kind = "gpu-shared",
                         .where = where,
                         .share = 1,
                         .what = fmt::format("{} was used by {} as well", where, gpu.neighbour)});
    }
}

}  // namespace

std::vector<Hindrance> hindrancesOf(const NodeNoise& noise) {
    std::vector<Hindrance> found;
    addProcessors(noise, found);
    for (const GpuNoise& gpu : noise.gpus) {
        addGpu(noise, gpu, found);
    }
    return found;
}

}  // namespace dlperf
