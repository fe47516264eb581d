// SPDX-License-Identifier: Apache-2.0
#include "base/control_groups.h"

#include <algorithm>
#include <fstream>
#include <optional>

namespace dlperf::worker {
namespace {

namespace fs = std::filesystem;

struct GroupEntry {
    std::string controllers;  // "cpu,cpuacct"; empty: all are in one hierarchy
    std::string group;        // "/slurm/job7"
};

// Of a line "4:cpu,cpuacct:/slurm/job7", or "0::/user.slice".
std::optional<GroupEntry> entryIn(const std::string& line) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) {
        return std::nullopt;
    }
    const std::string group = line.substr(second + 1);
    const bool seen = group.find("/..") == std::string::npos;
    return GroupEntry{line.substr(first + 1, second - first - 1), seen ? group : "/"};
}

// The folder of that hierarchy; empty where the controller is not in it.
fs::path hierarchyOf(const fs::path& mount, const std::string& controllers, const std::string& controller) {
    if (controllers.empty()) {
        return mount;
    }
    const bool has = ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
    return has ? mount / controller : fs::path();
}

}  // namespace

std::size_t lowestLimit(const CgroupFiles& files, const std::string& controller,
                        const std::function<std::size_t(const fs::path& group)>& limitIn) {
    std::size_t lowest = noLimit;
    std::ifstream own(files.own);
    for (std::string line; std::getline(own, line);) {
        const std::optional<GroupEntry> entry = entryIn(line);
        const fs::path hierarchy =
            entry ? hierarchyOf(files.mount, entry->controllers, controller) : fs::path();
        if (hierarchy.empty()) {
            continue;
        }
        for (std::string group = entry->group;; group.erase(group.rfind('/'))) {
            lowest = std::min(lowest, limitIn(hierarchy / fs::path(group).relative_path()));
            if (group.find_first_not_of('/') == std::string::npos) {
                break;
            }
        }
    }
    return lowest;
}

}  // namespace dlperf::worker
