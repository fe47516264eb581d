// SPDX-License-Identifier: Apache-2.0
// The files of a log folder, and their bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace dlperf::analysis {

struct LogFile {
    std::string folder;  // "2n8g"
    std::string name;    // "r50_b128_fp32_1.log"

    std::string path() const { return folder + "/" + name; }
};

struct LogListing {
    std::vector<LogFile> files;
    std::vector<Error> problems;  // folders that cannot be read
};

// folder/*/*.log: regular files (or links to such) whose names and folders do not start with a dot, in the
// order in which they are folded.
[[nodiscard]] Result<LogListing> listLogs(const std::filesystem::path& folder);

// Hands the file's bytes to `onBytes` in pieces, at most maxBytes of them.
[[nodiscard]] Result<void> readInPieces(const std::filesystem::path& file, std::uintmax_t maxBytes,
                                        const std::function<void(std::string_view)>& onBytes);

}  // namespace dlperf::analysis
