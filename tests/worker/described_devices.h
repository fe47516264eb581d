// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlperf::worker::cuda::dnn {

// What cuDNN wants to know of a GPU to make plans for it where there is none: the same numbers as CUDA's
// device attributes. They decide which engines fit; times cannot be told from them. Plans for a described
// device are for tests, and only those of precompiled engines can be made: others compile at run time and
// load what they compiled, for which a driver has to be there.
struct DeviceDescription {
    std::string name;
    int computeCapability = 0;  // 100 * major + 10 * minor: 900 is sm_90
    int driverVersion = 13000;  // as cudaDriverGetVersion() says it
    int multiprocessors = 0;
    std::int64_t memoryBytes = 0;
    int cacheBytes = 0;              // of the second level
    int sharedBytesPerBlock = 0;     // the most that a block can ask for
    int reservedSharedBytes = 1024;  // of each block, by the driver
    int multiprocessorKilohertz = 0;
    int memoryKilohertz = 0;

    // In the form that CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION takes; all 23 keys are required.
    std::string json() const;
};

using Number = std::pair<const char*, std::int64_t>;

// What all GPUs from sm_80 to sm_90 have in common.
inline std::vector<Number> commonNumbers() {
    return {{"regsPerBlock", 65536},      {"warpSize", 32},        {"maxSharedMemoryPerBlock", 49152},
            {"maxRegistersPerSM", 65536}, {"maxCtasPerSM", 32},    {"maxThreadsPerBlock", 1024},
            {"maxThreadsPerSM", 2048},    {"pciDeviceId", 0},      {"cudaDeviceId", 0},
            {"isTccDriver", 0},           {"supportCoopLaunch", 1}};
}

inline std::vector<Number> ownNumbers(const DeviceDescription& device) {
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

inline std::string DeviceDescription::json() const {
    std::string text = "{\"deviceName\":\"" + name + "\"";
    for (const std::vector<Number>& numbers : {ownNumbers(*this), commonNumbers()}) {
        for (const auto& [key, value] : numbers) {
            text += ",\"" + std::string(key) + "\":" + std::to_string(value);
        }
    }
    return text + ",\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64]}";
}

// NVIDIA H200, sm_90. From data sheets, not read off a device.
inline DeviceDescription describedH200() {
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

// NVIDIA A100 with 80 GB, sm_80. From data sheets, not read off a device.
inline DeviceDescription describedA100() {
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
