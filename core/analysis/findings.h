// SPDX-License-Identifier: Apache-2.0
// Findings of one log, bounded: the first of a kind stands with its line, the others are counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/log_analyzer.h"

namespace dlperf::analysis {

class FindingList {
public:
    void add(const std::string& kind, const std::string& what, std::int64_t line);
    [[nodiscard]] std::vector<Finding> list() const;

private:
    struct Entry {
        Finding first;
        std::int64_t count = 0;
    };
    std::vector<Entry> entries_;
};

}  // namespace dlperf::analysis
