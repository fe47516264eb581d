// SPDX-License-Identifier: Apache-2.0
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "base/numbers.h"

namespace dlperf::worker {
namespace {

namespace fs = std::filesystem;

constexpr int noLimit = std::numeric_limits<int>::max();

std::string wordIn(const fs::path& file, int position = 0) {
    std::ifstream stream(file);
    std::string word;
    for (int i = 0; i <= position; ++i) {
        word.clear();
        stream >> word;
    }
    return word;
}

int limitOf(const std::string& quota, const std::string& period) {
    const auto used = numberIn<std::int64_t>(quota);  // "max", -1: no limit
    const auto of = numberIn<std::int64_t>(period);
    if (!used || !of || *used <= 0 || *of <= 0) {
        return noLimit;
    }
    const double processors = std::ceil(static_cast<double>(*used) / static_cast<double>(*of));
    return static_cast<int>(std::min<double>(processors, noLimit));
}

int quotaOf(const fs::path& group) {
    return std::min(limitOf(wordIn(group / "cpu.max"), wordIn(group / "cpu.max", 1)),
                    limitOf(wordIn(group / "cpu.cfs_quota_us"), wordIn(group / "cpu.cfs_period_us")));
}

// Of a list such as "0-3,8".
int countOf(const std::string& list) {
    int count = 0;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string range = list.substr(at, end - at);
        const std::size_t dash = std::min(range.find('-'), range.size());
        const auto first = numberIn<int>(range.substr(0, dash));
        const auto last = dash == range.size() ? first : numberIn<int>(range.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last >= CPU_SETSIZE * 64) {
            return noLimit;
        }
        count += *last - *first + 1;
        if (count > CPU_SETSIZE * 64) {  // some more than once
            return noLimit;
        }
        at = end + 1;
    }
    return count == 0 ? noLimit : count;
}

int setOf(const fs::path& group) {
    return std::min(countOf(wordIn(group / "cpuset.cpus.effective")),
                    countOf(wordIn(group / "cpuset.effective_cpus")));
}

// The lowest limit of the group and those around it. In a container these are not seen, and its own group
// stands at the root.
template <class Limit>
int lowestOf(const fs::path& mount, std::string group, const Limit& limit) {
    int lowest = noLimit;
    for (group = group.find("/..") == std::string::npos ? group : "/";; group.erase(group.rfind('/'))) {
        lowest = std::min(lowest, limit(mount / fs::path(group).relative_path()));
        if (group.find_first_not_of('/') == std::string::npos) {
            return lowest;
        }
    }
}

// Of a line "4:cpu,cpuacct:/slurm/job7", or "0::/user.slice" where all controllers are in one hierarchy.
int limitByLine(const fs::path& mount, const std::string& line) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) {
        return noLimit;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    const auto has = [&](const char* controller) {
        return controllers.find(controller) != std::string::npos;
    };
    if (controllers == ",,") {
        return std::min(lowestOf(mount, group, quotaOf), lowestOf(mount, group, setOf));
    }
    return std::min(has(",cpu,") ? lowestOf(mount / "cpu", group, quotaOf) : noLimit,
                    has(",cpuset,") ? lowestOf(mount / "cpuset", group, setOf) : noLimit);
}

}  // namespace

int processorsOfNode(const CgroupFiles& files) {
    const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
    int processors = online > 0 ? static_cast<int>(online) : 1;
    std::ifstream groups(files.own);
    for (std::string line; std::getline(groups, line);) {
        processors = std::min(processors, limitByLine(files.mount, line));
    }
    return std::max(processors, 1);
}

int boundProcessors() {
    cpu_set_t processors;
    return ::sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : CPU_SETSIZE;
}

}  // namespace dlperf::worker
