// SPDX-License-Identifier: Apache-2.0
// Rows of the table of log formats as JSON: how the built-in ones are written, and how users add their own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/format_row.h"
#include "core/base/error.h"

namespace dlperf::analysis {

// A list of rows, or one row. `where` names the text in errors, which name the row and the field. Unknown
// fields, patterns that RE2 refuses, rows that cannot measure anything and names that come twice are errors.
[[nodiscard]] Result<std::vector<Format>> formatsFromJson(std::string_view text, const std::string& where);

// The file of a user, of at most so many bytes.
inline constexpr std::size_t mostFormatBytes = std::size_t{1} << 20U;
[[nodiscard]] Result<std::vector<Format>> readFormats(const std::filesystem::path& file);
// The same of rows that are to be kept: refuses those whose rule cannot take their value, which older files
// may hold.
[[nodiscard]] Result<std::vector<Format>> readNewFormats(const std::filesystem::path& file);

}  // namespace dlperf::analysis
