// SPDX-License-Identifier: Apache-2.0
// A log file -> its analyzer, on one or more threads: they scan the file's pieces side by side, and whoever
// finds the next piece in order ready feeds it. The figure is that of the whole log, bit for bit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/analysis/log_analyzer.h"
#include "core/base/error.h"

namespace dlperf::analysis {

// How many bytes more are analyzed; from one thread at a time.
using OnFed = std::function<void(std::size_t)>;

// The analyzer wants the figure only and uses the same scanner. Short logs take one thread. What is written
// behind the end that a long one has now is not read. An Input error if
// the file cannot be read to its end. `stop` ends it early, without an error.
[[nodiscard]] Result<void> feedFile(const std::filesystem::path& file, LogAnalyzer& analyzer,
                                    const std::shared_ptr<const LineScanner>& scanner, std::size_t threads,
                                    const std::stop_token& stop, const OnFed& onFed = {});

}  // namespace dlperf::analysis
