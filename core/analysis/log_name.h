// SPDX-License-Identifier: Apache-2.0
// What DLPerf's log layout says by names: <n>n<g>g/<model>_b<batch>_<precision>_<repetition>[_…].log
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace dlperf::analysis {

struct LogName {
    std::string model;      // up to the first '_'
    int batchSize = 0;      // samples per device
    std::string precision;  // as written; empty if unknown
    int repetition = 0;     // any whole number
};

// The file name without its folder. An error says which part cannot be read.
[[nodiscard]] Result<LogName> parseLogName(std::string_view fileName);

// Names with more than four fields ("r50_b128_fp32_4_6.log") give way to clean ones.
[[nodiscard]] bool hasExtraFields(std::string_view fileName);

}  // namespace dlperf::analysis
