// SPDX-License-Identifier: Apache-2.0
// The window rules: numbered lines in, the figure out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/line_reader.h"

namespace dlperf::analysis {

// What the window gives for a run of a known global batch size.
struct Measured {
    std::optional<double> value;
    std::optional<double> dlperfValue;  // where it differs
    std::string problem;                // why the value is missing or differs: a finding's kind, or empty
    std::string explanation;            // the finding's sentence
};

class WindowMeter {
public:
    WindowMeter(const Format& format, Window window);

    // The next line in log order. What is wrong with it, when the format cannot do without: else empty.
    [[nodiscard]] std::string add(std::int64_t number, const CountedLine& line);

    // The window's first and last line have been seen, and all between them.
    [[nodiscard]] bool reached() const;
    // Nothing that follows can change the figure.
    [[nodiscard]] bool closed() const { return format_->stopsAtEnd && reached(); }

    [[nodiscard]] Measured measure(double globalBatchSize) const;

private:
    int measured() const { return window_.train - window_.warmup; }
    [[nodiscard]] std::string addDuration(std::int64_t number, const CountedLine& line);
    [[nodiscard]] std::string addStamp(std::int64_t number, const CountedLine& line);

    [[nodiscard]] double figure(double globalBatchSize, double seconds) const;
    [[nodiscard]] double meanSpeed(double globalBatchSize) const;
    [[nodiscard]] Measured byRule(double globalBatchSize) const;
    [[nodiscard]] Measured fromDurations(double globalBatchSize) const;
    [[nodiscard]] Measured fromStamps(double globalBatchSize) const;
    [[nodiscard]] Measured shortRun(double globalBatchSize) const;

    const Format* format_;
    Window window_;
    std::int64_t last_ = 0;  // number of the last line

    // Durations of W+1 to T in log order, and how often the extractor reads another one.
    std::vector<double> durations_;
    double dlperfSeconds_ = 0;
    int misread_ = 0;

    // Stamps: of one pass over the data, and what the extractor holds when it keeps the last of each.
    std::optional<Stamp> start_;
    std::optional<std::pair<Stamp, Stamp>> pass_;
    std::optional<Stamp> lastStart_;
    std::optional<Stamp> lastEnd_;
};

}  // namespace dlperf::analysis
