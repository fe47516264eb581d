// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace dlperf::worker {

// Where the kernel tells of control groups, https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1.
struct CgroupFiles {
    std::filesystem::path mount = "/sys/fs/cgroup";
    std::filesystem::path own = "/proc/self/cgroup";  // the groups of this process
};

constexpr std::size_t noLimit = std::numeric_limits<std::size_t>::max();

// The lowest limit, if any, that `limitIn` finds in the folders of this process's control group and those
// around it; of version 1 in the hierarchy of the controller, "memory". In a container the groups around it
// are not seen, and its own group stands at the root.
std::size_t lowestLimit(const CgroupFiles& files, const std::string& controller,
                        const std::function<std::size_t(const std::filesystem::path& group)>& limitIn);

}  // namespace dlperf::worker
