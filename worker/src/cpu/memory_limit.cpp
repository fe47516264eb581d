// SPDX-License-Identifier: Apache-2.0
#include "cpu/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "base/failure.h"

namespace dlperf::worker::cpu {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// The number in a file of one line; anything else ("max", no such file) is no limit.
std::size_t numberIn(const std::string& path) {
    std::ifstream file(path);
    std::size_t value = 0;
    return file >> value ? value : unlimited;
}

std::size_t leftOf(std::size_t limit, std::size_t used) {
    if (limit == unlimited || used == unlimited) {
        return unlimited;
    }
    return limit > used ? limit - used : 0;
}

std::size_t machineMemory() {
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    std::size_t kib = 0;
    while (file >> key >> kib) {
        std::getline(file, unit);
        if (key == "MemAvailable:") {
            return kib * 1024;
        }
    }
    return unlimited;
}

// Only the group that /sys/fs/cgroup shows as its root, which is a container's own.
std::size_t groupMemory() {
    const std::string root = "/sys/fs/cgroup/";
    return std::min(leftOf(numberIn(root + "memory.max"), numberIn(root + "memory.current")),
                    leftOf(numberIn(root + "memory/memory.limit_in_bytes"),
                           numberIn(root + "memory/memory.usage_in_bytes")));
}

std::size_t processMemory() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return unlimited;
    }
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    return leftOf(limit.rlim_cur, pages * 4096);
}

std::string gibibytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1U << 30));
    return text;
}

}  // namespace

void requireMemory(std::size_t bytes, int devicesOnNode) {
    const std::size_t shared = std::min(machineMemory(), groupMemory());
    const std::size_t share =
        shared == unlimited ? unlimited : shared / static_cast<std::size_t>(devicesOnNode);
    const std::size_t available = std::min(share, processMemory());
    if (bytes <= available) {
        return;
    }
    throw Failure(ExitCode::Memory, "a device needs " + gibibytes(bytes) + " of memory and may take " +
                                        gibibytes(available) + " here (" + std::to_string(devicesOnNode) +
                                        " on this node); use a smaller --batch-size or --image-size");
}

}  // namespace dlperf::worker::cpu
