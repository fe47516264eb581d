// SPDX-License-Identifier: Apache-2.0
// What a node said it did at one moment. The file telemetry.csv has one of these lines a second, and one each
// for a network interface or a port of an RDMA card that was used, and for a GPU:
//
//   host,1732250000,37,1024,2048                                        CPU %, bytes received, sent a second
//   link,1732250000,mlx5_0:1,1024,2048                                  bytes received, sent a second
//   gpu,1732250000,0, 97, 1410, 391.20, 64, 0x0000000000000004, 70000, 81920
//       index, use %, SM MHz, W, °C, why clocks are lowered (NVML's bits), MiB used, MiB in all
//
// As `nvidia-smi --format=csv,noheader,nounits` prints them: what a GPU does not know is "[N/A]".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace dlperf::telemetry {

struct HostSample {
    std::int64_t time = 0;  // seconds since 1970, of the node's clock
    double cpu = 0;         // % of all cores
    double received = 0;    // bytes a second
    double sent = 0;
};

// "host" has the sum of the interfaces, "link" what is below it. RDMA is in no interface's figures.
struct LinkSample {
    std::int64_t time = 0;
    std::string name;     // "eth0", "mlx5_0:1"
    double received = 0;  // bytes a second
    double sent = 0;
};

struct GpuSample {
    std::int64_t time = 0;
    int index = 0;
    std::optional<double> use;          // %
    std::optional<double> clock;        // MHz
    std::optional<double> power;        // W
    std::optional<double> temperature;  // °C
    std::optional<bool> isThrottled;    // by power or heat; not for want of work
    std::optional<double> memoryUsed;   // MiB
    std::optional<double> memoryAll;    // MiB
};

using Sample = std::variant<HostSample, LinkSample, GpuSample>;

// Nothing for what is no such line: the last one may be torn, and a full disk cuts others.
[[nodiscard]] std::optional<Sample> parseSample(std::string_view line);

// MiB that the fullest GPU had in use at some second of a telemetry.csv, by whomever; nothing where no GPU
// says so, or the file cannot be read.
[[nodiscard]] std::optional<double> peakMemory(const std::filesystem::path& file);

}  // namespace dlperf::telemetry
