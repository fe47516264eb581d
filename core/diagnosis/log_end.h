// SPDX-License-Identifier: Apache-2.0
// Whether a log from elsewhere speaks against its trainer having ended by itself. Of such a run there is no
// exit code.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/line_reader.h"
#include "core/base/error.h"
#include "core/diagnosis/diagnose.h"

namespace dlperf::diagnosis {

struct LogEnd {
    std::string trouble;      // "its trainer did not end by itself: line 61 …"; empty where nothing says so
    std::vector<Hint> hints;  // the causes that are known, the worst first
    bool outOfMemory = false;
};

// Reads the file to its end. An Input error if that cannot be done; `stop` ends it early, without one.
[[nodiscard]] Result<LogEnd> endOf(const Rules& rules, const analysis::LineScanner& scanner,
                                   const std::filesystem::path& log, const std::stop_token& stop = {});

}  // namespace dlperf::diagnosis
