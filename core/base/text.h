// SPDX-License-Identifier: Apache-2.0
// Text helpers that more than one room needs; what is escaped for whom is decided here, once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlperf {

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
[[nodiscard]] std::string_view trim(std::string_view text);
// The first line, cleaned and bounded, of what a program said, for a message.
[[nodiscard]] std::string firstLine(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);  // ASCII only

// The whole text as a decimal integer, or nothing ("12x", "", " 1" and overflow are nothing).
[[nodiscard]] std::optional<int> toInt(std::string_view text);

// One word for a POSIX shell, whatever the text holds.
[[nodiscard]] std::string shellQuote(std::string_view text);
// "export NAME='value'" lines.
[[nodiscard]] std::string exportLines(const std::map<std::string, std::string>& variables);
// Text for HTML content and for quoted attributes.
[[nodiscard]] std::string escapeHtml(std::string_view text);
// Bytes that are no UTF-8 become U+FFFD, so that hostile logs survive in JSON.
[[nodiscard]] std::string cleanUtf8(std::string_view bytes);

// Names from plans, recipes and clusters become folders, host arguments and environment variables: what they
// may hold is decided here, once.

// One path component that is safe everywhere: A-Z a-z 0-9 . _ - , at most 64 long, not starting with . or -
[[nodiscard]] bool isPlainName(std::string_view text);
// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool isVariableName(std::string_view text);
// A refused one for a message: bounded and clean.
[[nodiscard]] std::string refusedName(std::string_view text);
// Environment values and paths cannot hold NUL.
[[nodiscard]] bool hasNul(std::string_view text);

}  // namespace dlperf
