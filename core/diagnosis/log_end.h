// SPDX-License-Identifier: Apache-2.0
// Whether a log from elsewhere speaks against its trainer having ended by itself. Of such a run there is no
// exit code.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
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

// Keeps the last bytes of a log that comes in pieces: there trainers sum up.
void keepTail(std::string& tail, std::string_view bytes);
// What the trainer itself says there of the whole run. The pattern may be the user's own, and match nothing,
// or everywhere.
[[nodiscard]] std::optional<double> ownFigure(const analysis::Format& format, std::string_view tail);

// Reads the file to its end. An Input error if that cannot be done; `stop` ends it early, without one.
[[nodiscard]] Result<LogEnd> endOf(const Rules& rules, const analysis::LineScanner& scanner,
                                   const std::filesystem::path& log, const std::stop_token& stop = {});

}  // namespace dlperf::diagnosis
