// SPDX-License-Identifier: Apache-2.0
// How bad a line is, by its text alone. One rule for what is painted and for what is counted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dlperf::log {

enum class Level { Plain, Quiet, Info, Warning, Error };  // Quiet: headers and debug messages

// Of a plain line without prefix.
[[nodiscard]] Level levelOf(std::string_view text);
// Of a line as it stands in the file: "[rank1]: ValueError: …" is an error as it is alone.
[[nodiscard]] Level levelOfLine(std::string_view bytes, const std::vector<std::string>& nodes);

// Where in `bytes`, from `from` on, the next line may be that holds a warning or an error; npos where none
// is. A fast no for most of a log: what it finds is still to be judged by levelOfLine().
[[nodiscard]] std::size_t findSuspect(std::string_view bytes, std::size_t from);

}  // namespace dlperf::log
