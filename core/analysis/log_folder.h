// SPDX-License-Identifier: Apache-2.0
// The files of a log folder, and their bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/descriptor.h"
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

// For reading; an Input error if it cannot be opened.
[[nodiscard]] Result<Descriptor> openLog(const std::filesystem::path& file);
[[nodiscard]] Failure cannotReadOn(const std::filesystem::path& file, int error);

// Hands the file's bytes to `onBytes` in pieces, until it says no.
using OnBytes = std::function<bool(std::string_view)>;
[[nodiscard]] Result<void> readInPieces(const std::filesystem::path& file, const Descriptor& opened,
                                        const OnBytes& onBytes);

// The first 4 MiB; empty if the file cannot be read.
[[nodiscard]] std::string readHead(const std::filesystem::path& file);

}  // namespace dlperf::analysis
