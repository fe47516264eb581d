// SPDX-License-Identifier: Apache-2.0
// What launchers write before each line of a process: which rank printed it.
#pragma once

#include <string_view>

namespace dlperf::analysis {

struct RankedLine {
    std::string_view text;  // the line without its prefix
    std::string_view rank;  // "1,3" or "0"; empty where there is no prefix
};

// Knows "[1,3]<stdout>:" (mpirun --tag-output, horovodrun), and "[rank0]:" and "[default0]:" (torchrun).
[[nodiscard]] RankedLine withoutRank(std::string_view line);

}  // namespace dlperf::analysis
