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
#include "core/analysis/text_finder.h"

namespace dlperf::analysis {

class CaptureReader {
public:
    explicit CaptureReader(const Capture& capture);

    bool printed() const { return !after_.text().empty(); }  // the format has this field at all
    [[nodiscard]] std::optional<double> number(std::string_view line) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view line) const;

private:
    // What stands behind the literal; with a pattern, its group.
    [[nodiscard]] std::optional<std::string_view> text(std::string_view line) const;

    TextFinder after_;
    bool last_;
    std::unique_ptr<const RE2> pattern_;
};

}  // namespace dlperf::analysis
