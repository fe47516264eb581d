// SPDX-License-Identifier: Apache-2.0
// Names and reasons come from recipes, logs and remote machines: what they may not do to a document is
// decided here.
#pragma once

#include <string>
#include <string_view>

namespace dlperf::report {

// One line of Markdown that shows the text as it is, in tables too.
[[nodiscard]] std::string escapeMarkdown(std::string_view text);

// One line of LaTeX that shows the text as it is.
[[nodiscard]] std::string escapeLatex(std::string_view text);

// A field of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula (it starts with = + -
// @, a tab or a return) gets a leading apostrophe. No control characters but tabs and the ends of lines: the
// file may be shown on a terminal.
[[nodiscard]] std::string csvText(std::string_view text);
// A figure in full precision, as a number.
[[nodiscard]] std::string csvNumber(double value);

// Valid UTF-8 on one line without control characters, for a terminal.
[[nodiscard]] std::string terminalText(std::string_view text);

}  // namespace dlperf::report
