// SPDX-License-Identifier: Apache-2.0
// Reads one thing from a line as a Capture (format_row.h) says.
#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {

// memmem: plain search, about memory bandwidth whatever the first letter is.
[[nodiscard]] std::size_t findText(std::string_view line, std::string_view text);

class CaptureReader {
public:
    explicit CaptureReader(const Capture& capture);

    bool printed() const { return !capture_.after.empty(); }  // the format has this field at all
    [[nodiscard]] std::optional<double> number(std::string_view line) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view line) const;

private:
    // What stands behind the literal; with a pattern, its group.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view line) const;

    Capture capture_;
    std::unique_ptr<const RE2> pattern_;
};

}  // namespace dlperf::analysis
