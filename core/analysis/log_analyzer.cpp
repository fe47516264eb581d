// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_analyzer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/findings.h"
#include "core/analysis/header_reader.h"
#include "core/analysis/line_splitter.h"
#include "core/analysis/window_meter.h"

namespace dlperf::analysis {

class LogAnalyzer::Impl {
public:
    Impl(const Format& format, RunShape shape, Window window)
        : format_(&format),
          pathShape_(shape),
          window_(window),
          reader_(format),
          oddText_(format.oddText),
          header_(format.header),
          meter_(format, window) {}

    void feed(std::string_view bytes) {
        if (finished_) return;
        lines_.feed(bytes, [this](const Line& line) { take(line); });
    }

    void finish() {
        if (finished_) return;
        finished_ = true;
        lines_.finish([this](const Line& line) { take(line); });
    }

    std::vector<Iteration> takeIterations() { return std::exchange(iterations_, {}); }
    bool windowReached() const { return meter_.reached(); }
    RunFigure figure() const;

private:
    void take(const Line& line);
    void count(const Line& line);
    std::optional<std::int64_t> numberOf(const Line& line, const CountedLine& counted);
    void hand(const Line& line, std::int64_t number, const CountedLine& counted);
    void noteOddText(const Line& line, std::int64_t number);
    void complain(const Line& line, const std::string& problem);
    RunShape shape() const { return header_.shape(pathShape_.topology).value_or(pathShape_); }

    const Format* format_;
    RunShape pathShape_;
    Window window_;
    LineSplitter lines_;
    LineReader reader_;
    TextFinder oddText_;
    HeaderReader header_;
    WindowMeter meter_;
    FindingList findings_;
    std::vector<Iteration> iterations_;
    std::int64_t counted_ = 0;
    std::int64_t last_ = 0;
    std::optional<std::pair<std::int64_t, Stamp>> previous_;
    std::optional<double> globalBatch_;  // known once the first line counts
    bool ended_ = false;                 // a line made DLPerf's extractor abort
    bool finished_ = false;
};

void LogAnalyzer::Impl::take(const Line& line) {
    if (line.cut) {
        findings_.add(
            "line-cut",
            fmt::format("is longer than {} KiB; the rest is not read", LineSplitter::maxBytes >> 10U),
            line.number);
    }
    header_.read(line.text);
    if (reader_.counts(line.text)) count(line);
}

void LogAnalyzer::Impl::count(const Line& line) {
    const CountedLine counted = reader_.read(line.text);
    const auto number = numberOf(line, counted);
    if (!number) return;
    if (!meter_.closed()) {
        if (const std::string problem = meter_.add(*number, counted); !problem.empty())
            complain(line, problem);
    }
    noteOddText(line, *number);
    hand(line, *number, counted);
}

void LogAnalyzer::Impl::noteOddText(const Line& line, std::int64_t number) {
    const bool inWindow = number > window_.warmup && number <= window_.train;
    if (inWindow && oddText_.first(line.text) != std::string_view::npos) {
        findings_.add("test-line",
                      "the line is no training line, but counts in the window as in DLPerf's extractor",
                      line.number);
    }
}

// Nothing for a line that stays out of the count.
std::optional<std::int64_t> LogAnalyzer::Impl::numberOf(const Line& line, const CountedLine& counted) {
    constexpr std::int64_t highest = 1'000'000'000'000;
    const bool hasIndex = counted.index && *counted.index < highest;
    if (!format_->index.after.empty() && !hasIndex) {
        if (!format_->indexOptional && !meter_.closed()) complain(line, "has no iteration number");
        return std::nullopt;
    }
    if (format_->indexAbove && *counted.index <= *format_->indexAbove) return std::nullopt;
    return format_->numbering == Numbering::Counted ? ++counted_ : *counted.index + format_->indexOffset;
}

void LogAnalyzer::Impl::hand(const Line& line, std::int64_t number, const CountedLine& counted) {
    Iteration iteration{number, line.number, counted.duration, {}, counted.loss, counted.data};
    if (counted.stamp) {
        if (previous_ && number > previous_->first) {
            const double seconds = secondsBetween(previous_->second, *counted.stamp, format_->clock) /
                                   static_cast<double>(number - previous_->first);
            if (seconds > 0 && !iteration.seconds) iteration.seconds = seconds;
        }
        previous_.emplace(number, *counted.stamp);
    }
    if (!globalBatch_) globalBatch_ = static_cast<double>(shape().globalBatchSize());
    if (iteration.seconds && *iteration.seconds > 0 && *globalBatch_ > 0) {
        iteration.throughput = *globalBatch_ / *iteration.seconds;
    }
    last_ = std::max(last_, number);
    iterations_.push_back(iteration);
}

void LogAnalyzer::Impl::complain(const Line& line, const std::string& problem) {
    if (line.torn) {
        findings_.add("torn-line", "the last line is not whole and is left out: it " + problem, line.number);
    } else if (format_->badLine == BadLine::Noted) {
        findings_.add("odd-line", "the line " + problem, line.number);
    } else {
        ended_ = true;
        findings_.add("unreadable-line",
                      "the line " + problem + "; DLPerf's extractor aborts here, so the log has no figure",
                      line.number);
    }
}

RunFigure LogAnalyzer::Impl::figure() const {
    RunFigure result;
    result.lastIteration = last_;
    result.header = header_.words();
    result.headerShape = header_.shape(pathShape_.topology);
    FindingList findings = findings_;
    if (result.headerShape && pathShape_.batchSize > 0 && *result.headerShape != pathShape_) {
        findings.add(
            "header-contradicts",
            fmt::format("the log's header says {} and batch size {}, its path or plan {} and {}; the "
                        "header counts",
                        toString(result.headerShape->topology), result.headerShape->batchSize,
                        toString(pathShape_.topology), pathShape_.batchSize),
            0);
    }
    if (format_->header.required && !result.headerShape) {
        if (finished_) findings.add("no-header", "the log does not say its nodes, devices and batch size", 0);
    } else if (!ended_) {
        const Measured measured = meter_.measure(static_cast<double>(shape().globalBatchSize()));
        result.value = measured.value;
        result.dlperfValue = measured.dlperfValue;
        const bool tooEarly = !finished_ && !meter_.reached();
        if (!measured.problem.empty() && !tooEarly) findings.add(measured.problem, measured.explanation, 0);
    }
    result.findings = findings.list();
    return result;
}

LogAnalyzer::LogAnalyzer(const Format& format, RunShape shape, Window window)
    : impl_(std::make_unique<Impl>(format, shape, window)) {}
LogAnalyzer::~LogAnalyzer() = default;
LogAnalyzer::LogAnalyzer(LogAnalyzer&&) noexcept = default;
LogAnalyzer& LogAnalyzer::operator=(LogAnalyzer&&) noexcept = default;

void LogAnalyzer::feed(std::string_view bytes) {
    impl_->feed(bytes);
}
void LogAnalyzer::finish() {
    impl_->finish();
}
std::vector<Iteration> LogAnalyzer::takeIterations() {
    return impl_->takeIterations();
}
bool LogAnalyzer::windowReached() const {
    return impl_->windowReached();
}
RunFigure LogAnalyzer::figure() const {
    return impl_->figure();
}

}  // namespace dlperf::analysis
