// SPDX-License-Identifier: Apache-2.0
// Whole-file reading with a bound, and writing that never leaves half a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace dlperf {

// Files that describe something (plans, recipes, clusters, journals' heads) are small; anything above is
// refused.
inline constexpr std::uintmax_t maxDescriptionBytes = 16U << 20U;

// The whole file. An Input error if it cannot be read, is no regular file, or is larger than maxBytes.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path,
                                           std::uintmax_t maxBytes = maxDescriptionBytes);

// Writes beside the target, flushes to disk and renames over it: readers see the old or the new file, whole.
[[nodiscard]] Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes,
                                               unsigned mode = 0644);

// mkdir -p; a Work error names the part that could not be made.
[[nodiscard]] Result<void> makeFolders(const std::filesystem::path& path);

// A leading "~/" (or a lone "~") becomes the home folder; nothing else is expanded.
[[nodiscard]] std::filesystem::path expandHome(std::string_view path);

}  // namespace dlperf
