// SPDX-License-Identifier: Apache-2.0
// One line of a log -> what it holds, by the format's row. Knows nothing of other lines, so that one scanner
// serves all logs of a format, from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/capture.h"
#include "core/analysis/stamp.h"

namespace dlperf::analysis {

// A line that counts, before anything is made of it.
struct CountedLine {
    std::optional<std::int64_t> index;  // as printed, times its factor
    std::optional<double> value;        // of the format's quantity, as the extractor rounds it
    std::optional<double> dlperfValue;  // where the extractor may read another one
    std::optional<Stamp> stamp;
    std::optional<double> data;  // seconds
    std::optional<double> loss;
};

class LineScanner {
public:
    explicit LineScanner(const Format& format);

    const Format& format() const { return *format_; }

    // All markers stand in the line: the fast no for most lines of a log.
    [[nodiscard]] bool counts(std::string_view line) const;
    [[nodiscard]] CountedLine read(std::string_view line, bool withDetails) const;  // loss and data
    [[nodiscard]] std::optional<double> data(std::string_view line) const { return data_.number(line); }
    [[nodiscard]] bool isOdd(std::string_view line) const;
    // The line is of this trainer, where others print lines that look alike.
    [[nodiscard]] bool isRecognised(std::string_view line) const;

private:
    using Texts = std::vector<TextFinder>;

    const Format* format_;
    std::vector<Texts> markers_;
    Texts recognisedBy_;
    TextFinder oddText_;
    CaptureReader index_;
    CaptureReader indexFactor_;
    CaptureReader value_;
    CaptureReader loss_;
    CaptureReader data_;
};

// What the extractor of PyTorch's examples reads from a line: the first text of one digit, any character and
// 1 to 3 digits before a blank. Nothing if there is none, or if it is no number (the extractor aborts in both
// cases).
[[nodiscard]] std::optional<double> oneDigitDuration(std::string_view line);

}  // namespace dlperf::analysis
