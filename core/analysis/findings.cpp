// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlperf::analysis {

void FindingList::add(const std::string& kind, const std::string& what, std::int64_t line) {
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& entry) { return entry.first.kind == kind; });
    if (same != entries_.end()) {
        ++same->count;
        return;
    }
    entries_.push_back({{kind, what, line > 0 ? fmt::format("line {}", line) : std::string()}, 1});
}

std::vector<Finding> FindingList::list() const {
    std::vector<Finding> findings;
    for (const auto& [first, count] : entries_) {
        findings.push_back(first);
        if (count > 1) {
            findings.back().what +=
                fmt::format(" (and {} more such line{})", count - 1, count == 2 ? "" : "s");
        }
    }
    return findings;
}

}  // namespace dlperf::analysis
