// SPDX-License-Identifier: Apache-2.0
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>

#include "base/numbers.h"

namespace dlperf::worker {
namespace {

namespace fs = std::filesystem;

std::string wordIn(const fs::path& file, int position = 0) {
    std::ifstream stream(file);
    std::string word;
    for (int i = 0; i <= position; ++i) {
        word.clear();
        stream >> word;
    }
    return word;
}

std::size_t limitOf(const std::string& quota, const std::string& period) {
    const auto used = numberIn<std::int64_t>(quota);  // "max", -1: no limit
    const auto of = numberIn<std::int64_t>(period);
    if (!used || !of || *used <= 0 || *of <= 0) {
        return noLimit;
    }
    return static_cast<std::size_t>(std::ceil(static_cast<double>(*used) / static_cast<double>(*of)));
}

std::size_t quotaOf(const fs::path& group) {
    return std::min(limitOf(wordIn(group / "cpu.max"), wordIn(group / "cpu.max", 1)),
                    limitOf(wordIn(group / "cpu.cfs_quota_us"), wordIn(group / "cpu.cfs_period_us")));
}

// Of a list such as "0-3,8".
std::size_t countOf(const std::string& list) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string range = list.substr(at, end - at);
        const std::size_t dash = std::min(range.find('-'), range.size());
        const auto first = numberIn<int>(range.substr(0, dash));
        const auto last = dash == range.size() ? first : numberIn<int>(range.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last >= CPU_SETSIZE * 64) {
            return noLimit;
        }
        count += asIndex(*last - *first) + 1;
        if (count > CPU_SETSIZE * 64) {  // some more than once
            return noLimit;
        }
        at = end + 1;
    }
    return count == 0 ? noLimit : count;
}

std::size_t setOf(const fs::path& group) {
    return std::min(countOf(wordIn(group / "cpuset.cpus.effective")),
                    countOf(wordIn(group / "cpuset.effective_cpus")));
}

}  // namespace

int processorsOfNode(const CgroupFiles& files) {
    const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
    const std::size_t limit =
        std::min(lowestLimit(files, "cpu", quotaOf), lowestLimit(files, "cpuset", setOf));
    const std::size_t processors = std::min(online > 0 ? static_cast<std::size_t>(online) : 1, limit);
    return std::max(static_cast<int>(processors), 1);
}

int boundProcessors() {
    cpu_set_t processors;
    return ::sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : CPU_SETSIZE;
}

}  // namespace dlperf::worker
