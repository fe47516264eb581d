// SPDX-License-Identifier: Apache-2.0
// Finding logs in DLPerf's layout: folders that hold folders like 2n8g with *.log files.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace dlperf::imports {

// The folder itself, its parent if it is such a folder like 2n8g, or folders below it; relative to nothing,
// sorted. Links are not followed; at most `deepest` levels and `mostFolders` folders are looked at, more is
// an Input error, as is a folder without logs.
inline constexpr int deepest = 6;
inline constexpr std::size_t mostFolders = 20'000;
[[nodiscard]] Result<std::vector<std::filesystem::path>> findLogFolders(const std::filesystem::path& folder);

}  // namespace dlperf::imports
