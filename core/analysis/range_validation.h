// SPDX-License-Identifier: Apache-2.0
// Whether a measured range is worth its figure: does the trainer still warm up or throttle in it, does it
// wait for data, does its clock run forward.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/analysis/line_range.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/run_figure.h"

namespace dlperf::analysis {

// How often the clock of a log's lines steps back.
class ClockSteps {
public:
    // Of the next line; lines without a stamp do not matter.
    void add(const PrintedStamp& stamp);
    [[nodiscard]] std::int64_t back() const { return back_; }

private:
    // Stamps of one layout are in order when their texts are: most need no more than a comparison.
    [[nodiscard]] bool follows(const PrintedStamp& stamp) const;
    void keep(std::string_view text);

    std::array<char, 32> text_{};  // of the line before, where it has that layout
    std::size_t size_ = 0;
    std::optional<Stamp> before_;  // else
    std::int64_t back_ = 0;
};

class RangeValidation {
public:
    RangeValidation(const Format& format, const LineRange& span);

    // The next counted line.
    void add(std::int64_t number, const CountedLine& line);
    // Waiting for data is looked at in samples: a long log has more lines than it needs.
    [[nodiscard]] bool wantsData(std::int64_t number) const;
    // What a line says of it, in seconds; its own time is `value`.
    void addData(const std::optional<double>& value, const std::optional<double>& data);

    // Drift: the range's last quarter is more than 5 % slower or faster than its first, and by more than
    // three standard errors. Data: more than 10 % of the time goes into waiting for it. Clock: it steps back
    // between two lines of the range.
    [[nodiscard]] std::vector<Finding> findings() const;

private:
    // Sums of a quarter's values.
    struct Quarter {
        std::int64_t count = 0;
        double sum = 0;
        double squares = 0;

        void add(double value) {
            ++count;
            sum += value;
            squares += value * value;
        }
        double mean() const { return sum / static_cast<double>(count); }
        double variance() const;  // of the mean
    };

    [[nodiscard]] std::size_t quarterOf(std::int64_t number) const;
    void addStamp(std::int64_t number, const PrintedStamp& stamp);
    [[nodiscard]] std::optional<double> driftOfValues() const;
    [[nodiscard]] std::optional<double> driftOfStamps() const;

    const Format* format_;
    LineRange range_;
    bool judges_;          // the range is long enough
    bool areMeans_;        // of all iterations so far: they hide what changes
    bool arePerInterval_;  // values grow with the iterations since the line before
    std::int64_t newest_ = 0;
    bool stepsMean_;  // something: lines come from one clock, which knows the date
    std::array<Quarter, 4> quarters_;
    std::array<std::int64_t, 5> places_{};       // numbers of the range's start, its quarters' and its end
    std::array<std::optional<Stamp>, 5> marks_;  // there
    ClockSteps steps_;
    double waited_ = 0;
    double worked_ = 0;
};

}  // namespace dlperf::analysis
