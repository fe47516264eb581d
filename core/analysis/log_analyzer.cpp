// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_analyzer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/findings.h"
#include "core/analysis/header_reader.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/meter.h"
#include "core/analysis/scanned_piece.h"
#include "core/analysis/window_health.h"

namespace dlperf::analysis {

class LogAnalyzer::Impl {
public:
    Impl(std::shared_ptr<const LineScanner> scanner, RunShape shape, Window window, Detail detail)
        : reader_(std::move(scanner), detail == Detail::Iterations),
          format_(&reader_.scanner().format()),
          pathShape_(shape),
          window_(window),
          detail_(detail),
          span_(spanOf(*format_, window, shape.topology.worldSize())),
          header_(format_->header),
          meter_(makeMeter(*format_, window, shape)),
          health_(*format_, span_) {}

    void feed(std::string_view bytes) {
        if (finished_) return;
        lines_.feed(bytes, [this](const Line& line) { take(line); });
    }

    void feed(ScannedPiece& piece) {
        if (finished_) return;
        feed(piece.head());
        takeInOrder(piece, lines_.lineEnds());
        lines_.skipLines(piece.lineCount());
        ranks_.add(piece.ranks());
        feed(piece.tail());
    }

    void finish() {
        if (finished_) return;
        finished_ = true;
        lines_.finish([this](const Line& line) { take(line); });
    }

    std::vector<Iteration> takeIterations() { return std::exchange(iterations_, {}); }
    bool windowReached() const { return meter_->reached(); }
    RunFigure figure() const;

private:
    void take(const Line& line) {
        reader_.read(line, ranks_, scanned_);
        take(scanned_);
    }
    void take(const ScannedLine& scanned);
    void takeInOrder(ScannedPiece& piece, std::int64_t linesBefore);
    void takeSteady(SteadyLines lines, std::int64_t linesBefore);
    std::size_t sizeOfRow(const SteadyLines& lines) const;
    std::size_t countFront(SteadyLines row);
    bool isNumberedByIndex() const { return format_->numbering == Numbering::Printed; }
    void count(const ScannedLine& scanned);
    bool findNumber(const Line& line, const CountedLine& counted, std::int64_t& number);
    void hand(const Line& line, std::int64_t number, const CountedLine& counted);
    std::optional<double> secondsOf(std::int64_t number, const CountedLine& counted);
    void noteRepeat(std::int64_t index);
    void noteOddText(const Line& line, std::int64_t number);
    void complain(const Line& line, const std::string& problem);
    Measured measure() const;
    std::string whyNone(const Measured& measured) const;
    void noteHealth(FindingList& findings) const;
    std::int64_t lastIteration() const {
        return highest_ > 0 ? iterationAt(*format_, highest_, span_.perRow) : 0;
    }
    RunShape shape() const { return header_.shape(pathShape_.topology).value_or(pathShape_); }

    LineReader reader_;
    const Format* format_;
    RunShape pathShape_;
    Window window_;
    Detail detail_;
    WindowSpan span_;
    LineSplitter lines_;
    HeaderReader header_;
    std::unique_ptr<Meter> meter_;
    WindowHealth health_;
    RankMix ranks_;
    std::int64_t lastIndex_ = -1;
    std::int64_t lastRepeated_ = -1;
    int repeatedIndexes_ = 0;  // one after another
    ScannedLine scanned_;      // the newest
    FindingList findings_;
    std::vector<Iteration> iterations_;
    std::int64_t counted_ = 0;
    std::int64_t highest_ = 0;  // number of a counted line
    std::optional<std::pair<std::int64_t, Stamp>> previous_;
    std::optional<RunShape> shape_;  // known once the first line counts
    std::string problem_;            // of the newest line, where there is one
    std::string abort_;              // the line that made DLPerf's extractor abort, and why
    bool finished_ = false;
};

void LogAnalyzer::Impl::take(const ScannedLine& scanned) {
    if (scanned.line.cut) {
        findings_.add(
            "line-cut",
            fmt::format("is longer than {} KiB; the rest is not read", LineSplitter::maxBytes >> 10U),
            scanned.line.number);
    }
    if (scanned.isHeader) header_.read(scanned.text);
    if (scanned.counts) count(scanned);
}

void LogAnalyzer::Impl::count(const ScannedLine& scanned) {
    const CountedLine& counted = scanned.counted;
    std::int64_t number = 0;
    if (!findNumber(scanned.line, counted, number)) return;
    if (counted.index) noteRepeat(*counted.index);
    if (!meter_->closed()) {
        if (!meter_->add(number, counted, problem_)) {
            complain(scanned.line, problem_);
        } else if (scanned.line.torn && span_.holds(number)) {
            findings_.add("torn-line",
                          "the last line has no end and may be cut short, but counts in the window",
                          scanned.line.number);
        }
    }
    health_.add(number, counted);
    if (health_.wantsData(number)) {
        health_.addData(counted.value, counted.data ? counted.data : reader_.scanner().data(scanned.text));
    }
    if (scanned.isOdd) noteOddText(scanned.line, number);
    highest_ = std::max(highest_, number);
    if (detail_ == Detail::Iterations) hand(scanned.line, number, counted);
}

// In the order in which they stand in the log.
void LogAnalyzer::Impl::takeInOrder(ScannedPiece& piece, std::int64_t linesBefore) {
    std::span<ScannedLine> others = piece.lines();
    std::size_t taken = 0;
    const auto takeOthers = [&](std::size_t count) {
        for (; taken < count; ++taken) {
            others[taken].line.number += linesBefore;
            take(others[taken]);
        }
    };
    for (std::size_t i = 0; i < piece.steadyLines().runs(); ++i) {
        const SteadyLines lines = piece.steadyLines().run(i);
        takeOthers(lines.othersBefore);
        takeSteady(lines, linesBefore);
    }
    takeOthers(others.size());
}

void LogAnalyzer::Impl::takeSteady(SteadyLines lines, std::int64_t linesBefore) {
    while (lines.count > 0) {
        SteadyLines row = lines.front(sizeOfRow(lines));
        lines.removeFront(row.count);
        while (row.count > 0) {
            const std::size_t counted = countFront(row);
            if (counted == 0) {  // there is something about this one
                Line line = row.line(0);
                line.number += linesBefore;
                take(line);
            }
            row.removeFront(std::max<std::size_t>(1, counted));
        }
    }
}

// How many lines of the front are one row: values above zero, or one that is not; and indexes that follow one
// another where they number the lines, else none that is too low or that of the line before.
std::size_t LogAnalyzer::Impl::sizeOfRow(const SteadyLines& lines) const {
    std::size_t size = lines.count;
    if (lines.indexes != nullptr) {
        const std::int64_t lowest = format_->indexAbove.value_or(-1);
        const auto endsRow = [&](std::int64_t before, std::int64_t index) {
            return isNumberedByIndex() ? index != before + 1 : index == before || index <= lowest;
        };
        const std::int64_t* const end = lines.indexes + size;
        const std::int64_t* const last = std::adjacent_find(lines.indexes, end, endsRow);
        if (last != end) size = static_cast<std::size_t>(last - lines.indexes) + 1;
    }
    if (lines.values != nullptr) {
        const double* const zero =
            std::find_if(lines.values, lines.values + size, [](double value) { return value <= 0; });
        size = std::max<std::size_t>(1, static_cast<std::size_t>(zero - lines.values));
    }
    return size;
}

// As count() does it for each line of a row's front, as far as nothing is to be said of one; how many these
// are.
std::size_t LogAnalyzer::Impl::countFront(SteadyLines row) {
    if (detail_ == Detail::Iterations) return 0;
    if (row.values != nullptr && *row.values <= 0) return 0;
    if (format_->indexAbove && *row.indexes <= *format_->indexAbove) return 0;
    const std::int64_t number = isNumberedByIndex() ? *row.indexes + format_->indexOffset : counted_ + 1;
    row.count = health_.untilMark(number, row.count);
    if (row.count > 0 && !meter_->closed()) row.count = meter_->addFront(number, row);
    if (row.count == 0) return 0;
    const auto added = static_cast<std::int64_t>(row.count);
    if (row.indexes != nullptr) {
        noteRepeat(*row.indexes);
        lastIndex_ = row.indexes[row.count - 1];
    }
    health_.add(number, row, reader_.scanner());
    if (!isNumberedByIndex()) counted_ += added;
    highest_ = std::max(highest_, number + added - 1);
    return row.count;
}

// Ranks that share a log without a launcher's prefix tell each iteration one after the other. Epochs that
// print one line tell the same one again and again.
void LogAnalyzer::Impl::noteRepeat(std::int64_t index) {
    if (format_->rule == WindowRule::SumOfEpochs) return;
    if (index == lastIndex_ && index != lastRepeated_) {
        ++repeatedIndexes_;
        lastRepeated_ = index;
    }
    lastIndex_ = index;
}

void LogAnalyzer::Impl::noteOddText(const Line& line, std::int64_t number) {
    if (span_.holds(number)) {
        findings_.add("test-line",
                      "the line is no training line, but counts in the window as in DLPerf's extractor",
                      line.number);
    }
}

// False for a line that stays out of the count.
bool LogAnalyzer::Impl::findNumber(const Line& line, const CountedLine& counted, std::int64_t& number) {
    constexpr std::int64_t highest = 1'000'000'000'000;
    const bool hasIndex = counted.index && *counted.index < highest;
    // The time of an epoch belongs to the iteration that was told before it.
    if (format_->rule == WindowRule::SumOfEpochs && counted.value && !hasIndex) {
        number = lastIteration();
        return true;
    }
    if (format_->index.printed() && !hasIndex) {
        if (!format_->indexOptional && !meter_->closed()) complain(line, "has no iteration number");
        return false;
    }
    if (format_->indexAbove && *counted.index <= *format_->indexAbove) return false;
    const bool everyIndex = format_->indexMultipleOf == 1;  // a division takes its time
    if (hasIndex && !everyIndex && *counted.index % format_->indexMultipleOf != 0) return false;
    if (isNumberedByIndex()) {
        number = *counted.index + format_->indexOffset;
        return true;
    }
    const bool isOut = format_->badLine == BadLine::Ignored && format_->value.printed() && !counted.value;
    if (!isOut) number = ++counted_;
    return !isOut;
}

// How long one iteration took, as far as this line and the one before tell.
std::optional<double> LogAnalyzer::Impl::secondsOf(std::int64_t number, const CountedLine& counted) {
    std::optional<double> seconds;
    if (counted.value) {
        if (format_->quantity == Quantity::Seconds) seconds = counted.value;
        if (format_->quantity == Quantity::BatchMilliseconds || format_->quantity == Quantity::Latency)
            seconds = *counted.value / 1000;
    }
    const auto stamp = counted.stamp.read();
    if (!stamp) return seconds;
    const auto before = std::exchange(previous_, std::pair(number, *stamp));
    if (seconds || !before || number <= before->first) return seconds;
    const double passed =
        secondsBetween(before->second, *stamp, format_->clock) / static_cast<double>(number - before->first);
    return passed > 0 ? std::optional(passed) : std::nullopt;
}

void LogAnalyzer::Impl::hand(const Line& line, std::int64_t number, const CountedLine& counted) {
    const std::int64_t iterationNumber = iterationAt(*format_, number, span_.perRow);
    if (span_.perRow > 1 && number % span_.perRow != 1) return;  // one line of an iteration is enough
    if (!shape_) shape_ = shape();
    Iteration iteration{iterationNumber, line.number, secondsOf(iterationNumber, counted), {},
                        counted.loss,    counted.data};
    const auto batch = static_cast<double>(shape_->globalBatchSize());
    if (counted.value && !iteration.seconds) {
        const double speed = speedOf(format_->quantity, *counted.value, *shape_);
        if (speed > 0 && std::isfinite(speed)) iteration.throughput = speed;
        if (iteration.throughput && batch > 0) iteration.seconds = batch / speed;
    } else if (iteration.seconds && *iteration.seconds > 0 && batch > 0) {
        iteration.throughput = batch / *iteration.seconds;
    }
    iterations_.push_back(iteration);
}

void LogAnalyzer::Impl::complain(const Line& line, const std::string& problem) {
    if (format_->badLine == BadLine::Ignored) return;
    if (line.torn) {
        findings_.add("torn-line", "the last line is not whole and is left out: it " + problem, line.number);
    } else if (format_->badLine == BadLine::Noted) {
        findings_.add("odd-line", "the line " + problem, line.number);
    } else {
        const std::string what =
            "the line " + problem + "; DLPerf's extractor aborts here, so the log has no figure";
        if (abort_.empty()) abort_ = fmt::format("line {}: {}", line.number, what);
        findings_.add("unreadable-line", what, line.number);
    }
}

Measured LogAnalyzer::Impl::measure() const {
    Measured result = meter_->measure(shape(), header_.words());
    if (result.value && !std::isfinite(*result.value)) {
        result = {};
        result.problem = "no-time";
        result.explanation = "the times in the window give no finite speed";
    }
    return result;
}

std::string LogAnalyzer::Impl::whyNone(const Measured& measured) const {
    const std::int64_t last = lastIteration();
    return measured.problem == "short-window" && last < window_.train
               ? fmt::format("the log ends at iteration {}, the window at {}", last, window_.train)
               : measured.explanation;
}

void LogAnalyzer::Impl::noteHealth(FindingList& findings) const {
    for (const Finding& finding : health_.findings()) {
        findings.add(finding.kind, finding.what, 0);
    }
    constexpr int mostByChance = 2;
    if ((ranks_.mixed() || repeatedIndexes_ > mostByChance) && !format_->everyRankPrints) {
        findings.add("several-ranks",
                     "lines of several ranks are mixed in the log and count as those of one, as in DLPerf's "
                     "extractor: the window may be shorter than it says",
                     0);
    }
}

RunFigure LogAnalyzer::Impl::figure() const {
    RunFigure result;
    result.lastIteration = lastIteration();
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
        result.whyNone = "the log does not say its nodes, devices and batch size";
        if (finished_) findings.add("no-header", result.whyNone, 0);
    } else if (!abort_.empty()) {
        result.whyNone = abort_;
    } else {
        const Measured measured = measure();
        result.value = measured.value;
        result.dlperfValue = measured.dlperfValue;
        if (!measured.value) result.whyNone = whyNone(measured);
        if (measured.value) noteHealth(findings);
        const bool tooEarly = !finished_ && !meter_->reached();
        if (!measured.problem.empty() && !tooEarly) findings.add(measured.problem, measured.explanation, 0);
    }
    result.findings = findings.list();
    return result;
}

LogAnalyzer::LogAnalyzer(const Format& format, RunShape shape, Window window)
    : LogAnalyzer(std::make_shared<const LineScanner>(format), shape, window, Detail::Iterations) {}
LogAnalyzer::LogAnalyzer(std::shared_ptr<const LineScanner> scanner, RunShape shape, Window window,
                         Detail detail)
    : impl_(std::make_unique<Impl>(std::move(scanner), shape, window, detail)) {}
LogAnalyzer::~LogAnalyzer() = default;
LogAnalyzer::LogAnalyzer(LogAnalyzer&&) noexcept = default;
LogAnalyzer& LogAnalyzer::operator=(LogAnalyzer&&) noexcept = default;

void LogAnalyzer::feed(std::string_view bytes) {
    impl_->feed(bytes);
}
void LogAnalyzer::finish() {
    impl_->finish();
}
void LogAnalyzer::feed(ScannedPiece& piece) {
    impl_->feed(piece);
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
