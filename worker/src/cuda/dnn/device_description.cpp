// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/device_description.h"

#include <utility>
#include <vector>

namespace dlperf::worker::cuda::dnn {
namespace {

using Number = std::pair<const char*, std::int64_t>;

// What all GPUs from sm_80 to sm_90 have in common.
std::vector<Number> commonNumbers() {
    return {{"regsPerBlock", 65536},      {"warpSize", 32},        {"maxSharedMemoryPerBlock", 49152},
            {"maxRegistersPerSM", 65536}, {"maxCtasPerSM", 32},    {"maxThreadsPerBlock", 1024},
            {"maxThreadsPerSM", 2048},    {"pciDeviceId", 0},      {"cudaDeviceId", 0},
            {"isTccDriver", 0},           {"supportCoopLaunch", 1}};
}

std::vector<Number> ownNumbers(const DeviceDescription& device) {
    return {{"deviceVer", device.computeCapability},
            {"driverVer", device.driverVersion},
            {"multiProcessorCount", device.multiprocessors},
            {"totalGlobalMem", device.memoryBytes},
            {"l2CacheSize", device.cacheBytes},
            {"maxSharedMemoryPerBlockOptin", device.sharedBytesPerBlock},
            {"reservedSharedMemoryPerBlock", device.reservedSharedBytes},
            {"smClockRateKHz", device.multiprocessorKilohertz},
            {"memClockRateKHz", device.memoryKilohertz}};
}

}  // namespace

std::string DeviceDescription::json() const {
    std::string text = "{\"deviceName\":\"" + name + "\"";
    for (const std::vector<Number>& numbers : {ownNumbers(*this), commonNumbers()}) {
        for (const auto& [key, value] : numbers) {
            text += ",\"" + std::string(key) + "\":" + std::to_string(value);
        }
    }
    return text + ",\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64]}";
}

DeviceDescription describedH200() {
    DeviceDescription device;
    device.name = "NVIDIA H200";
    device.computeCapability = 900;
    device.multiprocessors = 132;
    device.memoryBytes = 150'000'000'000;
    device.cacheBytes = 60 << 20;
    device.sharedBytesPerBlock = 227 << 10;
    device.multiprocessorKilohertz = 1'980'000;
    device.memoryKilohertz = 3'201'000;
    return device;
}

DeviceDescription describedA100() {
    DeviceDescription device;
    device.name = "NVIDIA A100-SXM4-80GB";
    device.computeCapability = 800;
    device.multiprocessors = 108;
    device.memoryBytes = 85'000'000'000;
    device.cacheBytes = 40 << 20;
    device.sharedBytesPerBlock = 163 << 10;
    device.multiprocessorKilohertz = 1'410'000;
    device.memoryKilohertz = 1'593'000;
    return device;
}

}  // namespace dlperf::worker::cuda::dnn
