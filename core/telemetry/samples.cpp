// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace dlperf::telemetry {
namespace {

// nvmlClocksThrottleReason*: software power cap, hardware slowdown, software and hardware thermal slowdown,
// power brake. Not: idle, application clocks, sync boost, display.
constexpr std::uint64_t throttled = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
constexpr std::size_t hostFields = 5;
constexpr std::size_t linkFields = 5;
constexpr std::size_t gpuFields = 10;
constexpr std::size_t longestName = 64;

std::optional<double> toNumber(std::string_view text) {
    const auto value = numberIn<double>(trim(text));
    return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

std::optional<bool> toThrottled(std::string_view text) {
    text = trim(text);
    const auto bits = text.starts_with("0x") ? numberIn<std::uint64_t>(text.substr(2), 16) : std::nullopt;
    return bits ? std::optional((*bits & throttled) != 0) : std::nullopt;
}

}  // namespace

std::optional<Sample> parseSample(std::string_view line) {
    const std::vector<std::string_view> fields = split(trim(line), ',');
    const auto time = fields.size() > 1 ? toNumber(fields[1]) : std::nullopt;
    if (!time || *time > 1e12) {
        return std::nullopt;
    }
    const auto seconds = static_cast<std::int64_t>(*time);
    if (fields[0] == "host" && fields.size() == hostFields) {
        const auto cpu = toNumber(fields[2]);
        const auto received = toNumber(fields[3]);
        const auto sent = toNumber(fields[4]);
        return cpu && received && sent ? std::optional<Sample>(HostSample{seconds, *cpu, *received, *sent})
                                       : std::nullopt;
    }
    if (fields[0] == "link" && fields.size() == linkFields) {
        const auto received = toNumber(fields[3]);
        const auto sent = toNumber(fields[4]);
        const std::string name = cleanUtf8(std::string(fields[2].substr(0, longestName)));
        return received && sent && !name.empty()
                   ? std::optional<Sample>(LinkSample{seconds, name, *received, *sent})
                   : std::nullopt;
    }
    const auto index =
        fields[0] == "gpu" && fields.size() == gpuFields ? toInt(trim(fields[2])) : std::nullopt;
    if (!index) {
        return std::nullopt;
    }
    return GpuSample{seconds,
                     *index,
                     toNumber(fields[3]),
                     toNumber(fields[4]),
                     toNumber(fields[5]),
                     toNumber(fields[6]),
                     toThrottled(fields[7]),
                     toNumber(fields[8]),
                     toNumber(fields[9])};
}

std::optional<double> peakMemory(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::optional<double> peak;
    for (std::array<char, 512> line{}; stream.getline(line.data(), line.size()) || stream.gcount() > 0;) {
        if (stream.fail() && !stream.eof()) {  // longer than any of ours
            stream.clear();
            continue;
        }
        const auto sample = parseSample(line.data());
        if (const auto* gpu = sample ? std::get_if<GpuSample>(&*sample) : nullptr; gpu != nullptr) {
            peak = std::max(peak, gpu->memoryUsed);
        }
    }
    return peak;
}

}  // namespace dlperf::telemetry
