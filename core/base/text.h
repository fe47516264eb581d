// SPDX-License-Identifier: Apache-2.0
// Text helpers that more than one room needs; what is escaped for whom is decided here, once.
#pragma once

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dlperf {

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
// All of them, or the first `most`: "a, b and 3 more".
[[nodiscard]] std::string joinSome(const std::vector<std::string>& parts, std::size_t most,
                                   std::string_view separator = ", ", std::string_view tail = " ");
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> wordsIn(std::string_view text,
                                                    std::string_view separators = " \t");
// The first line, cleaned and bounded, of what a program said, for a message.
[[nodiscard]] std::string firstLine(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);  // ASCII only
// Of "word value" lines, as scripts print them: the value of each line that starts with the word, or of the
// first of them (empty if there is none).
[[nodiscard]] std::vector<std::string> linesOf(std::string_view text, std::string_view word);
[[nodiscard]] std::string lineOf(std::string_view text, std::string_view word);

// The whole text as a number, or nothing ("12x", "", " 1" and overflow are nothing).
template <class Number, class... Base>
[[nodiscard]] std::optional<Number> numberIn(std::string_view text, Base... base) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value, base...);
    return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}
[[nodiscard]] std::optional<int> toInt(std::string_view text);

// The value that the text names, of names in the enum's order.
template <class Enum, class Names>
[[nodiscard]] std::optional<Enum> enumNamed(const Names& names, std::string_view text) {
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

// One word for a POSIX shell, whatever the text holds.
[[nodiscard]] std::string shellQuote(std::string_view text);
// "export NAME='value'" lines.
[[nodiscard]] std::string exportLines(const std::map<std::string, std::string>& variables);
// Text for HTML content and for quoted attributes.
[[nodiscard]] std::string escapeHtml(std::string_view text);
// Bytes that are no UTF-8 become U+FFFD, so that hostile logs survive in JSON.
[[nodiscard]] std::string cleanUtf8(std::string_view bytes);
// Of one letter of clean UTF-8: C0, DEL and C1 (U+0080 to U+009F), the line separators U+2028 and U+2029, and
// the marks of direction U+202A to U+202E and U+2066 to U+2069.
[[nodiscard]] bool isControlLetter(std::string_view letter);
// Clean text that does nothing to who shows it: `instead` stands for each control character, of ASCII or of
// Unicode, that is not `kept`, and for what breaks a line or turns the direction of what follows.
[[nodiscard]] std::string withoutControls(std::string_view text, char instead, std::string_view kept = {});

// Names from plans, recipes and clusters become folders, host arguments and environment variables: what they
// may hold is decided here, once.

// One path component that is safe everywhere: A-Z a-z 0-9 . _ - , at most 64 long, not starting with . or -
[[nodiscard]] bool isPlainName(std::string_view text);
// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool isVariableName(std::string_view text);
// Which of the known words was probably meant: the nearest by letters left out, added, changed or swapped, if
// that is near enough; else empty.
[[nodiscard]] std::string nearestOf(std::string_view word, const std::vector<std::string>& known);
// A refused or unknown one for people: bounded and clean.
[[nodiscard]] std::string refusedName(std::string_view text);
// Environment values and paths cannot hold NUL.
[[nodiscard]] bool hasNul(std::string_view text);

}  // namespace dlperf
