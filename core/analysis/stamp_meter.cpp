// SPDX-License-Identifier: Apache-2.0
// WindowRule::BetweenStamps.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/meter.h"

namespace dlperf::analysis {
namespace {

constexpr double secondsOfDay = 86'400;

class StampMeter : public Meter {
public:
    StampMeter(const Format& format, const Window& window, const WindowSpan& span)
        : format_(&format), window_(window), span_(span) {}

    bool add(std::int64_t number, const CountedLine& line, std::string& problem) override;
    std::size_t addFront(std::int64_t number, const SteadyLines& lines) override;
    bool reached() const override { return pass_.has_value(); }
    bool closed() const override { return format_->stopsAtEnd && reached(); }
    Measured measure(const RunShape& shape, const HeaderWords& words) const override;

private:
    // A clock without a date steps back at midnight.
    bool overMidnight(double seconds) const { return format_->clock == Clock::TimeOfDay && seconds < 0; }
    void explain(Measured& result, double seconds) const;

    const Format* format_;
    Window window_;
    WindowSpan span_;
    std::int64_t last_ = 0;  // number of the last line

    // Stamps: of one pass over the data, and what the extractor holds when it keeps the last of each.
    std::optional<Stamp> start_;
    std::optional<std::pair<Stamp, Stamp>> pass_;
    std::optional<Stamp> lastStart_;
    std::optional<Stamp> lastEnd_;
};

bool StampMeter::add(std::int64_t number, const CountedLine& line, std::string& problem) {
    last_ = number;
    const bool isStart = number == span_.first;
    const bool isEnd = number == span_.last;
    if (!isStart && !isEnd && (!format_->everyLineStamped || line.stamp.isSure)) return true;
    const std::optional<Stamp> stamp = line.stamp.read();
    if (!stamp) return isWrong(problem, "has no time stamp that can be read");
    if (isStart) {
        start_ = lastStart_ = stamp;
    }
    if (isEnd) {
        if (!start_ && format_->stopsAtEnd) {
            return isWrong(problem, fmt::format("ends the window, but there is no iteration {} before it",
                                                window_.warmup));
        }
        lastEnd_ = stamp;
        if (start_) pass_.emplace(*start_, *stamp);
        start_.reset();
    }
    return true;
}

// But for the two whose stamps are wanted: the others' are sure where each line needs one.
std::size_t StampMeter::addFront(std::int64_t number, const SteadyLines& lines) {
    std::size_t read = lines.count;
    for (const std::int64_t wanted : {span_.first, span_.last}) {
        if (wanted >= number) read = std::min(read, static_cast<std::size_t>(wanted - number));
    }
    if (read > 0) last_ = number + static_cast<std::int64_t>(read) - 1;
    return read;
}

Measured StampMeter::measure(const RunShape& shape, const HeaderWords& /*words*/) const {
    if (!reached()) return shortRun(*format_, window_, last_, {});
    Measured result;
    const double printed = secondsBetween(pass_->first, pass_->second, format_->clock);
    const double seconds = overMidnight(printed) ? printed + secondsOfDay : printed;
    const double dlperfSeconds = secondsBetween(*lastStart_, *lastEnd_, format_->clock);
    const double dlperf = figureOf(*format_, shape, dlperfSeconds, span_.iterations);
    if (seconds > 0) result.value = figureOf(*format_, shape, seconds, span_.iterations);
    if (dlperfSeconds != 0 && dlperf != result.value) result.dlperfValue = dlperf;
    explain(result, printed);
    return result;
}

void StampMeter::explain(Measured& result, double seconds) const {
    const std::string dlperf =
        result.dlperfValue ? fmt::format("gives {}", *result.dlperfValue) : std::string("divides by zero");
    if (!result.value) {
        result.problem = "clock-steps-back";
        result.explanation = fmt::format(
            "the clock does not go forward between iterations {} and {} ({} s), so there is no speed; "
            "DLPerf's extractor {}",
            window_.warmup, window_.train, seconds, dlperf);
    } else if (overMidnight(seconds)) {
        result.problem = "midnight";
        result.explanation = fmt::format(
            "the window goes over midnight and its clock has no date; the figure counts the day's change, "
            "DLPerf's extractor {}",
            dlperf);
    } else if (result.dlperfValue) {
        result.problem = "second-pass";
        result.explanation = fmt::format(
            "the iterations of the window repeat; the figure is that of the last whole pass, DLPerf's "
            "extractor mixes two and {}",
            dlperf);
    }
}

}  // namespace

std::unique_ptr<Meter> makeStampMeter(const Format& format, const Window& window, const WindowSpan& span) {
    return std::make_unique<StampMeter>(format, window, span);
}

}  // namespace dlperf::analysis
