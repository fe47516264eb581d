// SPDX-License-Identifier: Apache-2.0
// The files of a log folder, and their bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/log_analyzer.h"
#include "core/base/error.h"

namespace dlperf::analysis {

struct LogFile {
    std::string folder;  // "2n8g"; empty for a log that lies in the folder itself
    std::string name;    // "r50_b128_fp32_1.log"

    std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

struct LogListing {
    std::vector<LogFile> files;
    std::vector<Error> problems;  // folders that cannot be read
};

// folder/*/*.log, and folder/*.log behind them: regular files (or links to such) whose names and folders do
// not start with a dot, in the order in which they are folded.
[[nodiscard]] Result<LogListing> listLogs(const std::filesystem::path& folder);

// Feeds the file to the analyzer up to its end, in pieces; `stop` ends it early, without an error. An Input
// error if the file cannot be read to its end.
using OnFed = std::function<void(std::size_t)>;  // how many bytes more are analyzed
[[nodiscard]] Result<void> feedFile(const std::filesystem::path& file, LogAnalyzer& analyzer,
                                    const std::stop_token& stop, const OnFed& onFed = {});

// The head of a log, of bytes that come in pieces: long lines are kept as far as they are read, so that one
// of megabytes hides none of the others.
class LogHead {
public:
    static constexpr std::size_t most = std::size_t{4} << 20U;
    static constexpr std::size_t mostRead = std::size_t{64} << 20U;

    // False once it has enough.
    bool add(std::string_view bytes);
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string text_;
    std::size_t inLine_ = 0;
    std::size_t read_ = 0;
};

// The head of the file; empty if it cannot be read.
[[nodiscard]] std::string readHead(const std::filesystem::path& file);

}  // namespace dlperf::analysis
