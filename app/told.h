// SPDX-License-Identifier: Apache-2.0
// Texts for whoever sits at the terminal.
#pragma once

#include <string>

#include "core/base/translation.h"

namespace dlperf::app {

// Remote and user text for a terminal: valid UTF-8 without control characters.
[[nodiscard]] std::string printable(const std::string& text);

// What the program says to whoever sits at the terminal: in its language, and printable.
[[nodiscard]] std::string told(const std::string& english);
// A line of two columns, "state         ok": the label in that language, the text as it is.
[[nodiscard]] std::string labelled(const char* label, const std::string& text);
// In that language.
[[nodiscard]] const Translation& terminalTranslation();

enum class Colour { Good, Warning, Bad };

// In a colour where standard output is a terminal that has them, unless NO_COLOR is set (no-color.org).
[[nodiscard]] std::string coloured(Colour colour, const std::string& text);

}  // namespace dlperf::app
