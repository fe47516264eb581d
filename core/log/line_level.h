// SPDX-License-Identifier: Apache-2.0
// How bad a line is, by its text alone. One rule for what is painted and for what is counted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dlperf::log {

enum class Level { Plain, Quiet, Info, Warning, Error };  // Quiet: headers and debug messages

// Of a plain line without prefix.
[[nodiscard]] Level levelOf(std::string_view text);
// Of a line as it stands in the file: "[rank1]: ValueError: …" is an error as it is alone.
[[nodiscard]] Level levelOfLine(std::string_view bytes, const std::vector<std::string>& nodes);

// Whether a line may be a warning or an error. A fast no: what it says yes to is still to be judged by
// levelOfLine().
[[nodiscard]] bool isSuspect(std::string_view bytes);

}  // namespace dlperf::log
