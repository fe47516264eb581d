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

// What a number counts, where another unit behind it makes it another one.
enum class TimeUnit { None, Seconds, Milliseconds };

class CaptureReader {
public:
    explicit CaptureReader(const Capture& capture, TimeUnit unit = TimeUnit::None);

    bool printed() const { return isPrinted_; }  // the format has this field at all
    // The number's text within the line; empty where there is none, or where it does not end as it must.
    [[nodiscard]] std::string_view number(std::string_view line) const;
    [[nodiscard]] std::string_view integer(std::string_view line) const;
    // The text of a number that number() does not give because what follows makes it another one, like
    // "1,234.5" or "500ms" for seconds; the format names nothing that follows. Empty where that is not so.
    [[nodiscard]] std::string_view doubtful(std::string_view line) const;
    // A question mark stands for it.
    [[nodiscard]] bool isUnknown(std::string_view line) const;
    // Where the number stands hangs on where the line's digits stand, not on which they are.
    [[nodiscard]] bool followsShape() const;

private:
    struct Found {
        std::string_view number;  // what there is of it
        std::string_view rest;    // of what is searched
    };
    [[nodiscard]] Found find(std::string_view line, std::string_view (*numberOf)(std::string_view)) const;
    // What stands behind the literal, or the word; with a pattern, its group.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view line) const;
    // The text that must follow does.
    [[nodiscard]] bool endsWell(std::string_view rest) const;
    [[nodiscard]] bool isDoubtful(const Found& found) const;

    Capture capture_;
    TextFinder after_;
    bool isPrinted_;
    bool isOpen_;  // the format names nothing that follows the number
    TimeUnit unit_;
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
