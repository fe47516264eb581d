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

// A text within a line, in bytes from its start; none where the size is 0.
struct Place {
    std::uint32_t at = 0;
    std::uint32_t size = 0;

    std::string_view in(std::string_view line) const { return {line.data() + at, size}; }
};

struct NumberPlace {
    Place text;
    NumberShape shape;
};

// Where a counted line's things stand.
struct LinePlaces {
    NumberPlace index;
    NumberPlace indexFactor;
    NumberPlace value;
    NumberPlace dlperfValue;
    Place stamp;
    bool stampIsSure = false;
    bool stampIsPadded = false;
    NumberPlace data;
    NumberPlace loss;
};

// A line that counts, before anything is made of it.
struct CountedLine {
    std::optional<std::int64_t> index;  // as printed, times its factor
    std::optional<double> value;        // of the format's quantity, as the extractor rounds it
    std::optional<double> dlperfValue;  // where the extractor may read another one
    PrintedStamp stamp;
    std::optional<double> data;  // seconds
    std::optional<double> loss;
};

class LineScanner {
public:
    explicit LineScanner(const Format& format);

    const Format& format() const { return *format_; }

    // All markers stand in the line: the fast no for most lines of a log.
    [[nodiscard]] bool counts(std::string_view line) const;
    // Where all that the format prints stands in a line that counts.
    [[nodiscard]] LinePlaces find(std::string_view line) const;
    // What stands at those places; loss and data with the details only. Written in place, for the same reason
    // as number.h's inline functions.
    void read(std::string_view line, const LinePlaces& places, bool withDetails, CountedLine& counted) const;
    [[nodiscard]] std::optional<double> data(std::string_view line) const {
        return toNumber(data_.number(line));
    }
    [[nodiscard]] bool isOdd(std::string_view line) const;
    // The line is of this trainer, where others print lines that look alike.
    [[nodiscard]] bool isRecognised(std::string_view line) const;

    // Where a line's things stand hangs on where its digits stand, not on which they are: so it is unless the
    // row looks for a digit there, or has a pattern.
    [[nodiscard]] bool followsShape() const;
    // A line with other digits at the same places might count.
    [[nodiscard]] bool mayCount(std::string_view line) const;
    // Whether it does hangs on which they are: a marker holds one.
    [[nodiscard]] bool digitsDecide() const { return digitsDecide_; }

private:
    using Texts = std::vector<TextFinder>;
    [[nodiscard]] bool holdsMarkers(const std::vector<Texts>& markers, std::string_view line) const;

    const Format* format_;
    std::vector<Texts> markers_;
    std::vector<Texts> blankMarkers_;  // their digits are 0
    bool digitsDecide_ = false;
    Texts recognisedBy_;
    TextFinder oddText_;
    CaptureReader index_;
    CaptureReader indexFactor_;
    CaptureReader value_;
    CaptureReader loss_;
    CaptureReader data_;
};

// What the extractor of PyTorch's examples reads from a line: the first text of one digit, any character and
// 1 to 3 digits before a blank. Empty if there is none; if it is no number either, the extractor aborts.
[[nodiscard]] std::string_view oneDigitDuration(std::string_view line);

}  // namespace dlperf::analysis
