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

constexpr std::size_t hostFields = 5;
constexpr std::size_t linkFields = 5;
constexpr std::size_t gpuFields = 10;
constexpr std::size_t cpuFields = 10;
constexpr std::size_t appFields = 4;
constexpr std::size_t memoryFields = 3;
constexpr std::size_t longestName = 64;
constexpr std::size_t longestLine = 1024;

std::optional<double> toNumber(std::string_view text) {
    const auto value = numberIn<double>(trim(text));
    return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

std::optional<std::uint64_t> toBits(std::string_view text) {
    text = trim(text);
    return text.starts_with("0x") ? numberIn<std::uint64_t>(text.substr(2), 16) : std::nullopt;
}

std::string toName(std::string_view text) {
    return cleanUtf8(text.substr(0, longestName));
}

std::optional<Sample> parseCpu(std::int64_t time, const std::vector<std::string_view>& fields) {
    const auto processors = toInt(fields[2]);
    const auto others = toNumber(fields[3]);
    const auto stolen = toNumber(fields[4]);
    const auto busy = toNumber(fields[8]);
    if (processors.value_or(0) < 1 || !others || !stolen || !busy) {
        return std::nullopt;
    }
    return CpuSample{time,
                     *processors,
                     *others,
                     *stolen,
                     toNumber(fields[5]),
                     toNumber(fields[6]),
                     toNumber(fields[7]),
                     *busy,
                     toName(fields[9])};
}

std::optional<Sample> parseGpu(std::int64_t time, const std::vector<std::string_view>& fields) {
    const auto index = toInt(trim(fields[2]));
    if (!index) {
        return std::nullopt;
    }
    return GpuSample{time,
                     *index,
                     toNumber(fields[3]),
                     toNumber(fields[4]),
                     toNumber(fields[5]),
                     toNumber(fields[6]),
                     toBits(fields[7]),
                     toNumber(fields[8]),
                     toNumber(fields[9])};
}

}  // namespace

std::optional<bool> GpuSample::isThrottled() const {
    return reasons ? std::optional((*reasons & (powerCap | hardwareSlowdown | heat | powerBrake)) != 0)
                   : std::nullopt;
}

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
        const std::string name = toName(fields[2]);
        return received && sent && !name.empty()
                   ? std::optional<Sample>(LinkSample{seconds, name, *received, *sent})
                   : std::nullopt;
    }
    if (fields[0] == "gpu" && fields.size() == gpuFields) {
        return parseGpu(seconds, fields);
    }
    if (fields[0] == "cpu" && fields.size() == cpuFields) {
        return parseCpu(seconds, fields);
    }
    if (fields[0] == "app" && fields.size() == appFields) {
        const auto gpu = toInt(fields[2]);
        return gpu && !fields[3].empty() ? std::optional<Sample>(AppSample{seconds, *gpu, toName(fields[3])})
                                         : std::nullopt;
    }
    if (fields[0] == "memory" && fields.size() == memoryFields) {
        const auto used = toNumber(fields[2]);
        return used ? std::optional<Sample>(MemorySample{seconds, *used}) : std::nullopt;
    }
    return std::nullopt;
}

void SampleReader::feed(std::string_view bytes, const std::function<void(const Sample&)>& take) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        rest_.append(bytes.substr(0, end).substr(0, longestLine - std::min(longestLine, rest_.size())));
        if (end == std::string_view::npos) {
            return;
        }
        if (const auto sample = parseSample(rest_)) {
            take(*sample);
        }
        rest_.clear();
        bytes.remove_prefix(end + 1);
    }
}

PeakMemory peakMemory(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    PeakMemory peak;
    for (std::array<char, 512> line{}; stream.getline(line.data(), line.size()) || stream.gcount() > 0;) {
        if (stream.fail() && !stream.eof()) {  // longer than any of ours
            stream.clear();
            continue;
        }
        const Sample sample = parseSample(line.data()).value_or(AppSample{});
        if (const auto* gpu = std::get_if<GpuSample>(&sample)) {
            peak.gpu = std::max(peak.gpu, gpu->memoryUsed);
        } else if (const auto* memory = std::get_if<MemorySample>(&sample)) {
            peak.process = std::max(peak.process.value_or(0), memory->used);
        }
    }
    return peak;
}

}  // namespace dlperf::telemetry
