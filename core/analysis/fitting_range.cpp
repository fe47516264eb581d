// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/fitting_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/analysis/analyze.h"
#include "core/analysis/format_row.h"

namespace dlperf::analysis {
namespace {

constexpr int fewestMeasured = 4;  // iterations

std::optional<MeasurementRange> inProportion(const Format& format, const MeasurementRange& wanted,
                                             std::int64_t last) {
    constexpr int fewestPrinted = 2;  // lines
    const std::int64_t unit =
        std::lcm(format.lines.stride, std::lcm(format.warmupMultipleOf, format.trainMultipleOf));
    const std::int64_t train = last / unit * unit;
    const std::int64_t share =
        (train * wanted.warmup + wanted.train * unit - 1) / (wanted.train * unit) * unit;
    const std::int64_t warmup = std::max<std::int64_t>({share, format.lowestWarmup, format.lines.least});
    return train - warmup >= std::max(fewestMeasured, fewestPrinted * format.lines.stride)
               ? std::optional(MeasurementRange{static_cast<int>(warmup), static_cast<int>(train)})
               : std::nullopt;
}

}  // namespace

std::optional<MeasurementRange> fittingRange(const Format& format, const MeasurementRange& wanted,
                                             const RunFigure& figure) {
    if (figure.betweenLines) {
        const MeasurementRange& found = *figure.betweenLines;
        const bool isEnough = found.train - found.warmup >= fewestMeasured;
        return isEnough && found != wanted && checkRange(format, found) ? figure.betweenLines : std::nullopt;
    }
    // An odd last line is behind a shorter range, and so is what a trainer does between two epochs.
    const bool isShort =
        figure.missing == MissingReason::EndsEarly || figure.missing == MissingReason::UnreadableLine;
    const std::int64_t last = figure.firstPass > 0 ? figure.firstPass : figure.lastIteration;
    using enum RangeRule;  // those whose range begins or ends at lines that a share of the log may not have
    const bool needsLines = format.rule == BetweenMeans || format.rule == SumOfEpochs ||
                            format.rule == MeanOfIntervals || format.rule == LatencyBetween;
    if (!(isShort || figure.firstPass > 0) || wanted.train <= last || needsLines) {
        return std::nullopt;
    }
    return inProportion(format, wanted, last);
}

std::string fittingHint(const Format& format, const MeasurementRange& wanted, const RunFigure& figure) {
    // An unreadable line may be within any range.
    const bool mayHold = !figure.value && figure.missing != MissingReason::UnreadableLine;
    const auto fitting = mayHold ? fittingRange(format, wanted, figure) : std::nullopt;
    return fitting ? fmt::format("; --warmup {} --train {} measures what the log holds", fitting->warmup,
                                 fitting->train)
                   : std::string();
}

}  // namespace dlperf::analysis
