// SPDX-License-Identifier: Apache-2.0
// WindowRule::SumOfDurations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/meter.h"

namespace dlperf::analysis {
namespace {

class DurationMeter : public Meter {
public:
    DurationMeter(const Format& format, const Window& window, const WindowSpan& span)
        : format_(&format), window_(window), span_(span) {}

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override;
    std::size_t addFront(std::int64_t number, const SteadyLines& lines) override;
    bool reached() const override { return measured_ > 0 && measured_ == span_.last - span_.first; }
    bool closed() const override { return format_->stopsAtEnd && reached(); }
    Measured measure(const RunShape& shape, const HeaderWords& words) const override;

private:
    bool hasDuration(const CountedLine& line, std::string& problem) const;
    bool isInPlace(std::int64_t number, std::string& problem);
    void addDurations(const SteadyLines& lines, std::size_t count);
    void addDuration(double seconds, double dlperfSeconds) {
        ++measured_;
        seconds_ += seconds;
        dlperfSeconds_ += dlperfSeconds;
        misread_ += dlperfSeconds != seconds ? 1 : 0;
    }

    const Format* format_;
    Window window_;
    WindowSpan span_;
    std::int64_t last_ = 0;  // number of the last line
    std::int64_t measured_ = 0;
    double seconds_ = 0;
    double dlperfSeconds_ = 0;
    std::int64_t misread_ = 0;  // durations of which the extractor reads another
};

bool DurationMeter::hasDuration(const CountedLine& line, std::string& problem) const {
    if (!line.value || !std::isfinite(*line.value)) return isWrong(problem, "has no duration");
    if (format_->dropsLeadingDigits && !line.dlperfValue) {
        return isWrong(problem, "has no duration that the extractor can read");
    }
    return *line.value >= 0 || isWrong(problem, "has a negative duration");
}

// A trainer that was started again counts anew: the last pass is measured.
bool DurationMeter::isInPlace(std::int64_t number, std::string& problem) {
    if (number <= last_ && !reached()) {
        measured_ = misread_ = 0;
        seconds_ = dlperfSeconds_ = 0;
        return isWrong(problem, fmt::format("counts anew from {} behind {}", number, last_));
    }
    const std::int64_t next = span_.first + 1 + measured_;
    if (number > next && number <= span_.last) {
        return isWrong(problem, fmt::format("is iteration {}, but {} is missing", number, next));
    }
    return true;
}

bool DurationMeter::add(std::int64_t number, const CountedLine& line, std::string& problem) {
    if (!hasDuration(line, problem)) {
        last_ = number;
        return false;
    }
    const bool inPlace = isInPlace(number, problem);
    last_ = number;
    if (number == span_.first + 1 + measured_ && number <= span_.last) {
        addDuration(*line.value, line.dlperfValue.value_or(*line.value));
    }
    return inPlace;
}

std::size_t DurationMeter::addFront(std::int64_t number, const SteadyLines& lines) {
    const auto take = [&](std::int64_t until) {  // up to that number
        const auto count = static_cast<std::size_t>(
            std::min<std::int64_t>(static_cast<std::int64_t>(lines.count), until - number + 1));
        last_ = number + static_cast<std::int64_t>(count) - 1;
        return count;
    };
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max() / 2;
    if (reached()) return take(all);
    if (number <= last_) return 0;  // counts anew
    if (number <= span_.first) return take(span_.first);
    if (number > span_.last) return take(all);
    if (number != span_.first + 1 + measured_) return 0;  // something is missing
    const std::size_t count = take(span_.last);
    addDurations(lines, count);
    return count;
}

void DurationMeter::addDurations(const SteadyLines& lines, std::size_t count) {
    const double* const dlperf = lines.dlperfValues == nullptr ? lines.values : lines.dlperfValues;
    for (std::size_t i = 0; i < count; ++i) {
        addDuration(lines.values[i], dlperf[i]);
    }
}

Measured DurationMeter::measure(const RunShape& shape, const HeaderWords& /*words*/) const {
    if (!reached()) return shortRun(*format_, window_, last_, {});
    Measured result;
    result.value = figureOf(*format_, shape, seconds_, span_.iterations);
    const double dlperf = figureOf(*format_, shape, dlperfSeconds_, span_.iterations);
    if (misread_ > 0 && dlperfSeconds_ > 0 && dlperf != result.value) {
        result.dlperfValue = dlperf;
        result.problem = "leading-digit";
        result.explanation = fmt::format(
            "DLPerf's extractor misreads {} duration{} in the window (it reads one digit before the point) "
            "and gives {}; the right figure is {}",
            misread_, misread_ == 1 ? "" : "s", dlperf, *result.value);
    }
    return result;
}

}  // namespace

std::unique_ptr<Meter> makeDurationMeter(const Format& format, const Window& window, const WindowSpan& span) {
    return std::make_unique<DurationMeter>(format, window, span);
}

}  // namespace dlperf::analysis
