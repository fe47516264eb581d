// SPDX-License-Identifier: Apache-2.0
// WindowRule::SumOfEpochs: every device prints the iteration it has come to and then the time of the epoch.
#include <fmt/format.h>

#include <cmath>

#include "core/analysis/meter.h"

namespace dlperf::analysis {
namespace {

class EpochMeter : public Meter {
public:
    EpochMeter(const Format& format, const Window& window, std::int64_t devices)
        : format_(&format), window_(window), devices_(devices) {}

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override;
    bool reached() const override { return passed_ || (counted_ > 0 && covered_ >= wanted()); }
    bool closed() const override { return passed_; }
    Measured measure(const RunShape& shape, const HeaderWords& words) const override;

private:
    std::int64_t wanted() const {
        return (static_cast<std::int64_t>(window_.train) - window_.warmup) * devices_;
    }

    const Format* format_;
    Window window_;
    std::int64_t devices_;
    std::int64_t current_ = 0;  // iteration that the last line told
    std::int64_t stride_ = 0;   // iterations of an epoch, as the first line tells them
    std::int64_t counted_ = 0;  // epoch times in the window
    std::int64_t covered_ = 0;  // their iterations
    double milliseconds_ = 0;
    bool passed_ = false;  // an iteration behind the window has been told
};

bool EpochMeter::add(std::int64_t number, const CountedLine& line, std::string& problem) {
    if (!line.value) {
        if (stride_ == 0) stride_ = number;
        current_ = number;
        passed_ = passed_ || number > window_.train;
        return true;
    }
    if (!std::isfinite(*line.value) || *line.value < 0) return isWrong(problem, "has no epoch time");
    if (current_ > window_.warmup) {
        milliseconds_ += *line.value;
        covered_ += stride_;
        ++counted_;
    }
    return true;
}

Measured EpochMeter::measure(const RunShape& shape, const HeaderWords& /*words*/) const {
    Measured result;
    const double seconds = milliseconds_ / 1000;
    constexpr double least = 1e-5;  // below, DLPerf's extractor leaves the log out
    const auto asked = static_cast<double>(wanted());
    const auto batch = static_cast<double>(shape.globalBatchSize());
    const auto figure = [&](double iterations) {
        return roundedAs(batch / (seconds / iterations), format_->figure);
    };
    if (!reached() || seconds <= least) {
        result = shortRun(*format_, window_, current_, {});
        result.dlperfValue.reset();
        result.explanation += seconds <= least ? "; DLPerf's extractor leaves the log out"
                                               : fmt::format("; DLPerf's extractor gives {}", figure(asked));
        if (seconds > least) result.dlperfValue = figure(asked);
        return result;
    }
    result.value = figure(asked);
    if (covered_ != wanted()) {
        result.problem = "odd-window";
        result.explanation = fmt::format(
            "the epochs measured hold {} iterations of all devices, but DLPerf's rule divides by {}; by the "
            "epochs themselves it would be {}",
            covered_, wanted(), figure(static_cast<double>(covered_)));
    }
    return result;
}

}  // namespace

std::unique_ptr<Meter> makeEpochMeter(const Format& format, const Window& window, std::int64_t devices) {
    return std::make_unique<EpochMeter>(format, window, devices);
}

}  // namespace dlperf::analysis
