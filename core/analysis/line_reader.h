// SPDX-License-Identifier: Apache-2.0
// One line of a log -> what it holds, by the format's row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/capture.h"
#include "core/analysis/stamp.h"

namespace dlperf::analysis {

// A line that counts, before anything is made of it.
struct CountedLine {
    std::optional<std::int64_t> index;     // as printed
    std::optional<double> duration;        // seconds
    std::optional<double> dlperfDuration;  // what the extractor reads instead, where it differs
    std::optional<Stamp> stamp;
    std::optional<double> loss;
    std::optional<double> data;  // seconds
};

class LineReader {
public:
    explicit LineReader(const Format& format);

    // All markers stand in the line: the fast no for most lines of a log.
    [[nodiscard]] bool counts(std::string_view line) const;
    [[nodiscard]] CountedLine read(std::string_view line) const;

private:
    const Format* format_;
    std::vector<TextFinder> markers_;
    CaptureReader index_;
    CaptureReader duration_;
    CaptureReader loss_;
    CaptureReader data_;
};

// What the extractor of PyTorch's examples reads from a line: the first text of one digit, any character and
// 1 to 3 digits before a blank. Nothing if there is none, or if it is no number (the extractor aborts in both
// cases).
[[nodiscard]] std::optional<double> oneDigitDuration(std::string_view line);

}  // namespace dlperf::analysis
