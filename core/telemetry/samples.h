// SPDX-License-Identifier: Apache-2.0
// What a node said it did at one moment. The file telemetry.csv has one of these lines a second, and one each
// for a network interface or a port of an RDMA card that was used, and for a GPU; every few seconds what
// others do on the node, since the last look:
//
//   host,1732250000,37,1024,2048                                        CPU %, bytes received, sent a second
//   link,1732250000,mlx5_0:1,1024,2048                                  bytes received, sent a second
//   gpu,1732250000,0, 97, 1410, 391.20, 64, 0x0000000000000004, 70000, 81920
//       index, use %, SM MHz, W, °C, why clocks are lowered (NVML's bits), MiB used, MiB in all
//   cpu,1732250000,2,1.80,0.00,2100,71,0,1.75,stress-ng
//       processors; how many of them were busy with other processes, and with other machines of the
//       hypervisor; MHz, °C and how often heat throttled them, each empty where the kernel does not tell;
//       how many the busiest of the other processes kept busy, together with those of its name
//   app,1732250000,0,python3                                            somebody else's process on this GPU
//   memory,1732250000,1830               MiB that the run's largest process has in the node's own memory
//
// GPUs as `nvidia-smi --format=csv,noheader,nounits` prints them: what one does not know is "[N/A]".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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
    std::optional<double> use;             // %
    std::optional<double> clock;           // MHz
    std::optional<double> power;           // W
    std::optional<double> temperature;     // °C
    std::optional<std::uint64_t> reasons;  // why clocks are lowered
    std::optional<double> memoryUsed;      // MiB
    std::optional<double> memoryAll;       // MiB

    // By power or heat; not for want of work.
    [[nodiscard]] std::optional<bool> isThrottled() const;
};

// nvmlClocksThrottleReason*, later nvmlClocksEventReason*. Not here: idle, application clocks, sync boost,
// display.
inline constexpr std::uint64_t powerCap = 0x4;
inline constexpr std::uint64_t hardwareSlowdown = 0x8;  // beside one of the next two where it is known why
inline constexpr std::uint64_t heat = 0x20 | 0x40;      // seen by software, by hardware
inline constexpr std::uint64_t powerBrake = 0x80;

struct CpuSample {
    std::int64_t time = 0;
    int processors = 0;
    double others = 0;                  // processors
    double stolen = 0;                  // processors
    std::optional<double> clock;        // MHz
    std::optional<double> temperature;  // °C
    std::optional<double> throttles;
    double busy = 0;      // processors
    std::string busiest;  // empty: no other process is seen
};

struct AppSample {
    std::int64_t time = 0;
    int gpu = 0;
    std::string name;
};

struct MemorySample {
    std::int64_t time = 0;
    double used = 0;  // MiB
};

using Sample = std::variant<HostSample, LinkSample, GpuSample, CpuSample, AppSample, MemorySample>;

// Nothing for what is no such line: the last one may be torn, and a full disk cuts others.
[[nodiscard]] std::optional<Sample> parseSample(std::string_view line);

// MiB in use at some moment of a telemetry.csv: on the fullest GPU, by whomever, and by the run's largest
// process. Nothing where it is not told, or the file cannot be read.
struct PeakMemory {
    std::optional<double> gpu{};
    std::optional<double> process{};
};
[[nodiscard]] PeakMemory peakMemory(const std::filesystem::path& file);

// Cuts the bytes of a telemetry.csv, in any chunks, into lines, and hands on the samples that they are.
class SampleReader {
public:
    void feed(std::string_view bytes, const std::function<void(const Sample&)>& take);

private:
    std::string rest_;  // of an unfinished line, bounded
};

}  // namespace dlperf::telemetry
