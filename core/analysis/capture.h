// SPDX-License-Identifier: Apache-2.0
// Finds one thing in a line as a Capture (format_row.h) says.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <string_view>

#include "core/analysis/format_row.h"
#include "core/analysis/number.h"
#include "core/analysis/text_finder.h"

namespace dlperf::analysis {

class CaptureReader {
public:
    explicit CaptureReader(const Capture& capture);

    bool printed() const { return isPrinted_; }  // the format has this field at all
    // The number's text within the line; empty where there is none, or where it does not end as it must.
    [[nodiscard]] std::string_view number(std::string_view line) const { return find(line, numberAt); }
    [[nodiscard]] std::string_view integer(std::string_view line) const { return find(line, integerAt); }
    // Where the number stands hangs on where the line's digits stand, not on which they are.
    [[nodiscard]] bool followsShape() const;

private:
    [[nodiscard]] std::string_view find(std::string_view line,
                                        std::string_view (*numberOf)(std::string_view)) const;
    // What stands behind the literal, or the word; with a pattern, its group.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view line) const;
    // The text that must follow does.
    [[nodiscard]] bool endsWell(std::string_view rest) const;

    Capture capture_;
    TextFinder after_;
    bool isPrinted_;
    bool isOpen_;  // what follows the number does not matter
    std::unique_ptr<const RE2> pattern_;
};

// The n-th word, from 1, at single blanks.
[[nodiscard]] std::optional<std::string_view> wordOf(std::string_view line, int number);

// What group 1 of the pattern matches at the first place where it matches; nothing without a pattern.
[[nodiscard]] std::optional<std::string_view> groupIn(const RE2* pattern, std::string_view text);

// RE2's options for logs, which are bytes: Latin-1 makes every byte a character, so that broken UTF-8 hides
// nothing.
[[nodiscard]] RE2::Options byBytes();
// The same for patterns of the user: memory is bounded.
[[nodiscard]] RE2::Options patternOptions();

}  // namespace dlperf::analysis
