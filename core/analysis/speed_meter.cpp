// SPDX-License-Identifier: Apache-2.0
// WindowRule::MeanOfSpeeds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/analysis/meter.h"
#include "core/analysis/value_list.h"

namespace dlperf::analysis {
namespace {

class SpeedMeter : public Meter {
public:
    SpeedMeter(const Format& format, const Window& window, const WindowSpan& span)
        : format_(&format), window_(window), span_(span) {}

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override;
    std::size_t addFront(std::int64_t number, const SteadyLines& lines) override;
    bool reached() const override { return last_ >= span_.last && values_.size() > 0; }
    bool closed() const override { return format_->stopsAtEnd && reached(); }
    Measured measure(const RunShape& shape, const HeaderWords& words) const override;

private:
    bool isSpeed(const CountedLine& line, std::string& problem) const;
    // Of the lines from the given one on.
    void copySpeeds(std::size_t from, const RunShape& shape, std::span<double> speeds) const;
    double medianOfRow(std::size_t row, const RunShape& shape) const;
    double meanSpeed(const RunShape& shape) const;

    const Format* format_;
    Window window_;
    WindowSpan span_;
    std::int64_t last_ = 0;  // number of the last line
    ValueList values_;       // of the window's lines
};

// Of a value that is not above zero.
bool SpeedMeter::isSpeed(const CountedLine& line, std::string& problem) const {
    const bool isSeconds = format_->quantity == Quantity::Seconds;
    const bool isTime = isSeconds || format_->quantity == Quantity::BatchMilliseconds;
    if (!line.value || !std::isfinite(*line.value)) {
        return isWrong(problem, isSeconds ? "has no duration" : "has no speed");
    }
    if (*line.value < 0) {
        return isWrong(problem, isSeconds ? "has a negative duration" : "has a negative speed");
    }
    return !isTime || isWrong(problem, "has a duration of zero");
}

bool SpeedMeter::add(std::int64_t number, const CountedLine& line, std::string& problem) {
    last_ = number;
    const double value = line.value.value_or(-std::numeric_limits<double>::infinity());
    if (!(value > 0 && std::isfinite(value)) && !isSpeed(line, problem)) return false;
    if (span_.holds(number)) values_.push_back(value);
    return true;
}

std::size_t SpeedMeter::addFront(std::int64_t number, const SteadyLines& lines) {
    std::size_t read = lines.count;
    if (format_->stopsAtEnd) {
        // The line that closes the meter is taken by itself: none behind it is read.
        const bool mayClose = number == span_.last || span_.openEnd || values_.size() > 0;
        if (number >= span_.last && mayClose) return 0;
        if (number < span_.last) read = std::min(read, static_cast<std::size_t>(span_.last - number));
    }
    last_ = number + static_cast<std::int64_t>(read) - 1;
    const std::int64_t from = std::max(number, span_.first + 1);
    const std::int64_t to = span_.openEnd ? last_ : std::min(last_, span_.last);
    if (from <= to) values_.append({lines.values + (from - number), static_cast<std::size_t>(to - from + 1)});
    return read;
}

void SpeedMeter::copySpeeds(std::size_t from, const RunShape& shape, std::span<double> speeds) const {
    values_.copy(from, speeds);
    if (format_->quantity != Quantity::Speed) {  // such a value is what is wanted
        for (double& speed : speeds) {
            speed = speedOf(format_->quantity, speed, shape);
        }
    }
    if (format_->lineSpeed) roundAll(speeds, format_->lineSpeed->decimals, format_->lineSpeed->rule);
}

double SpeedMeter::medianOfRow(std::size_t row, const RunShape& shape) const {
    std::vector<double> speeds(static_cast<std::size_t>(span_.perRow));
    copySpeeds(row * speeds.size(), shape, speeds);
    return medianOf(speeds);
}

// Where every rank prints, an iteration's speed is the median of its lines.
double SpeedMeter::meanSpeed(const RunShape& shape) const {
    const std::size_t rows = values_.size() / static_cast<std::size_t>(span_.perRow);
    const auto fill = [&](std::size_t from, std::span<double> speeds) {
        if (span_.perRow == 1) return copySpeeds(from, shape, speeds);
        for (double& speed : speeds) {
            speed = medianOfRow(from++, shape);
        }
    };
    return roundedAs(numpyMean(rows, fill), format_->figure);
}

Measured SpeedMeter::measure(const RunShape& shape, const HeaderWords& /*words*/) const {
    Measured result;
    if (!reached()) return shortRun(*format_, window_, last_, meanSpeed(shape));
    if (format_->exactCount && last_ > span_.last) {
        result.problem = "too-many-lines";
        result.explanation = fmt::format(
            "the log has {} counted lines where {} iterations of {} device{} give {}; DLPerf's extractor "
            "aborts here, so the log has no figure",
            last_, window_.train, span_.perRow, span_.perRow == 1 ? "" : "s", span_.last);
        return result;
    }
    result.value = meanSpeed(shape);
    return result;
}

}  // namespace

std::unique_ptr<Meter> makeSpeedMeter(const Format& format, const Window& window, const WindowSpan& span) {
    return std::make_unique<SpeedMeter>(format, window, span);
}

}  // namespace dlperf::analysis
