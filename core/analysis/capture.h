// SPDX-License-Identifier: Apache-2.0
// Reads one thing from a line as a Capture (format_row.h) says.
#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/analysis/format_row.h"
#include "core/analysis/text_finder.h"

namespace dlperf::analysis {

class CaptureReader {
public:
    explicit CaptureReader(const Capture& capture);

    bool printed() const { return isPrinted_; }  // the format has this field at all
    [[nodiscard]] std::optional<double> number(std::string_view line) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view line) const;

private:
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

// RE2's options for logs, which are bytes: Latin-1 makes every byte a character, so that broken UTF-8 hides
// nothing; memory is bounded.
[[nodiscard]] RE2::Options patternOptions();

}  // namespace dlperf::analysis
