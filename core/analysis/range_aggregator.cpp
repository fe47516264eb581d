// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/range_aggregator.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace dlperf::analysis {

std::unique_ptr<RangeAggregator> makeAggregator(const Format& format, const MeasurementRange& range,
                                                const RunShape& shape) {
    const std::int64_t devices = shape.topology.worldSize();
    const LineRange span = lineRangeOf(format, range, devices);
    switch (format.rule) {
        case RangeRule::SumOfDurations:
            return makeDurationAggregator(format, range, span);
        case RangeRule::BetweenStamps:
            return makeStampAggregator(format, range, span);
        case RangeRule::MeanOfSpeeds:
            return makeSpeedAggregator(format, range, span);
        case RangeRule::BetweenMeans:
            return makeMeanAggregator(format, range, span);
        case RangeRule::SumOfIntervals:
            return makeIntervalAggregator(format, range, span);
        case RangeRule::SumOfEpochs:
            return makeEpochAggregator(format, range, devices);
        default:
            return makeLatencyAggregator(format, range, span);
    }
}

const char* findingKind(RangeProblem problem) {
    constexpr std::array kinds{
        "",          "short-window", "too-many-lines", "no-time",    "clock-steps-back",
        "midnight",  "second-pass",  "leading-digit",  "odd-window", "coarse-mean",
        "few-lines", "resumed"};
    return kinds.at(static_cast<std::size_t>(problem));
}

void RangeAggregator::noteResumptions(Measured& result, const Resumptions& resumptions,
                                      std::string_view effect) {
    std::string what = resumptions.describe(effect);
    if (!what.empty()) {
        result.problem = RangeProblem::Resumed;
        result.explanation = std::move(what);
    }
}

double roundedAs(double value, const std::optional<FigureRounding>& rounding) {
    return rounding ? rounded(value, rounding->decimals, rounding->rule) : value;
}

bool isSpeed(Quantity quantity) {
    return quantity == Quantity::Speed || quantity == Quantity::NodeSpeed ||
           quantity == Quantity::WorkerSpeed || quantity == Quantity::DeviceBatches;
}

double spentOn(Quantity quantity, double iterations, double mean) {
    return isSpeed(quantity) ? iterations / mean : iterations * mean;
}

double meanOf(Quantity quantity, double iterations, double spent) {
    return isSpeed(quantity) ? iterations / spent : spent / iterations;
}

double speedOf(Quantity quantity, double value, const RunShape& shape) {
    const double nodes = shape.topology.nodes;
    const double devices = shape.topology.devices;
    const double batch = shape.batchSize;
    // The order of the products is DLPerf's.
    switch (quantity) {
        case Quantity::Seconds:
            return static_cast<double>(shape.globalBatchSize()) / value;
        case Quantity::Speed:
            return value;
        case Quantity::NodeSpeed:
            return value * nodes;
        case Quantity::WorkerSpeed:
            return value * nodes * devices / shape.workerDevices;
        case Quantity::DeviceBatches:
            return value * devices * batch;
        case Quantity::BatchMilliseconds:
            return 1000 / value * batch * nodes * devices;
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

double figureOf(const Format& format, const RunShape& shape, double seconds, double iterations) {
    const auto batch = static_cast<double>(shape.globalBatchSize());
    const double speed = format.quotient == Quotient::BatchOverMean ? batch / (seconds / iterations)
                                                                    : batch * iterations / seconds;
    return roundedAs(speed, format.figure);
}

Measured shortRun(const Format& format, const MeasurementRange& range, std::int64_t last,
                  const std::optional<double>& partOfFigure) {
    Measured result;
    result.problem = RangeProblem::ShortRange;
    result.explanation =
        countsLinesOnly(format)
            ? fmt::format(
                  "the log has {} lines that count as iterations, the measurement range is from {} to {}",
                  last, range.warmup, range.train)
            : fmt::format(
                  "the log does not hold the whole measurement range, iterations {} to {}, and ends at {}",
                  range.warmup + 1, range.train, last);
    if (format.shortRun == ShortRun::Zero) {
        result.dlperfValue = 0;
    }
    if (format.shortRun == ShortRun::MeanOfPart) {
        result.dlperfValue = partOfFigure;
    }
    if (format.shortRun == ShortRun::Aborts) {
        result.explanation += "; DLPerf's extractor aborts here";
    }
    if (result.dlperfValue) {
        result.explanation += fmt::format("; DLPerf's extractor gives {}", *result.dlperfValue);
    }
    return result;
}

}  // namespace dlperf::analysis
