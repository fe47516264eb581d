// SPDX-License-Identifier: Apache-2.0
// Names from plans, recipes and clusters become folders, host arguments and environment variables: what they
// may hold is decided here, once.
#pragma once

#include <string>
#include <string_view>

namespace dlperf {

// One path component that is safe everywhere: A-Z a-z 0-9 . _ - , at most 64 long, not starting with . or -
[[nodiscard]] bool isPlainName(std::string_view text);
// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool isVariableName(std::string_view text);
// A refused one for a message: bounded and clean.
[[nodiscard]] std::string refusedName(std::string_view text);
// Environment values and paths cannot hold NUL.
[[nodiscard]] bool hasNul(std::string_view text);

}  // namespace dlperf
