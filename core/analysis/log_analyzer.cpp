// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_analyzer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace dlperf::analysis {

LogAnalyzer::LogAnalyzer(const Format& format, RunShape shape, MeasurementRange range,
                         OnIteration onIteration)
    : LogAnalyzer(std::make_shared<const LineScanner>(format), shape, range, std::move(onIteration)) {}

LogAnalyzer::LogAnalyzer(std::shared_ptr<const LineScanner> scanner, RunShape shape, MeasurementRange range,
                         OnIteration onIteration)
    : LineReader(std::move(scanner), static_cast<bool>(onIteration)),
      format_(&this->scanner().format()),
      pathShape_(shape),
      measurement_(range),
      onIteration_(std::move(onIteration)),
      range_(lineRangeOf(*format_, range, shape.topology.worldSize())),
      header_(format_->header),
      aggregator_(makeAggregator(*format_, range, shape)),
      validation_(*format_, range_) {}

void LogAnalyzer::FindingList::add(const std::string& kind, const std::string& what, std::int64_t line) {
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& entry) { return entry.first.kind == kind; });
    if (same != entries_.end()) {
        ++same->count;
        return;
    }
    entries_.push_back({{kind, what, line > 0 ? fmt::format("line {}", line) : std::string()}, 1});
}

std::vector<Finding> LogAnalyzer::FindingList::list() const {
    std::vector<Finding> findings;
    for (const auto& [first, count] : entries_) {
        findings.push_back(first);
        if (count > 1) {
            findings.back().what +=
                fmt::format(" (and {} more such line{})", count - 1, count == 2 ? "" : "s");
        }
    }
    return findings;
}

void LogAnalyzer::take(const ScannedLine& scanned) {
    if (scanned.line.cut) {
        findings_.add(
            "line-cut",
            fmt::format("is longer than {} KiB; the rest is not read", LineSplitter::maxBytes >> 10U),
            scanned.line.number);
    }
    if (scanned.isHeader) {
        header_.read(scanned.text);
    }
    if (scanned.counts) {
        hasLines_ = true;
        count(scanned);
    } else if (highest_ == 0) {
        workerDevices_ = scanner().workerDevices(scanned.text).value_or(workerDevices_);
        accumulation_ = scanner().accumulation(scanned.text).value_or(accumulation_);
    }
}

void LogAnalyzer::count(const ScannedLine& scanned) {
    CountedLine counted = scanned.counted;
    std::int64_t number = 0;
    if (!findNumber(scanned.line, counted, number)) {
        return;
    }
    if (format_->meanSince) {
        counted.data = counted.data ? counted.data : scanner().data(scanned.text);
        takeMeansApart(number, counted);
    }
    if (counted.index) {
        noteRepeat(*counted.index, number);
    }
    noteStride(scanned.line, number);
    if (!aggregator_->closed()) {
        if (!aggregator_->add(number, counted, problem_)) {
            complainOfValue(scanned, counted);
        } else if (scanned.line.torn && range_.holds(number)) {
            findings_.add(
                "torn-line",
                "the last line has no end and may be cut short, but counts in the measurement range",
                scanned.line.number);
        }
    }
    validation_.add(number, counted);
    if (validation_.wantsData(number)) {
        addData(scanned, counted);
    }
    if (scanned.isOdd) {
        noteOddText(scanned.line, number);
    }
    highest_ = std::max(highest_, number);
    if (onIteration_) {
        hand(scanned.line, number, counted);
    }
}

// Ranks that share a log without a launcher's prefix tell each iteration one after the other. Epochs that
// print one line tell the same one again and again.
void LogAnalyzer::noteRepeat(std::int64_t index, std::int64_t number) {
    if (format_->rule == RangeRule::SumOfEpochs) {
        return;
    }
    if (firstPass_ == 0 && index < lastIndex_ / 2) {
        firstPass_ = iterationAt(*format_, number - 1, range_.perRow);
    }
    if (index == lastIndex_ && index != lastRepeated_) {
        ++repeatedIndexes_;
        lastRepeated_ = index;
    }
    if (firstIndex_ < 0) {
        firstIndex_ = index;
    }
    if (index < lastIndex_ && !aggregator_->reached()) {
        const bool isToStart = index <= firstIndex_;  // as of a trainer that began again
        returns_ += isToStart ? 0 : 1;
        beganAgain_ = beganAgain_ || isToStart;
    }
    lastIndex_ = index;
}

// One after the other for each iteration, or each for some iterations at a time. What is numbered by passes
// over the data cannot have passes within the range.
bool LogAnalyzer::hasSeveralRanks() const {
    constexpr int mostByChance = 2;
    const bool inTurns = isNumberedByIndex() && !range_.openEnd && format_->rule == RangeRule::MeanOfSpeeds &&
                         beganAgain_ && returns_ >= mostByChance;
    return ranks().mixed() || repeatedIndexes_ > mostByChance || inTurns;
}

// Both in seconds of one iteration.
void LogAnalyzer::addData(const ScannedLine& scanned, const CountedLine& counted) {
    auto seconds = counted.value;
    if (seconds && isSpeed(format_->quantity)) {
        const RunShape& shape = knownShape();
        seconds = static_cast<double>(shape.globalBatchSize()) / speedOf(format_->quantity, *seconds, shape);
    }
    validation_.addData(seconds, counted.data ? counted.data : scanner().data(scanned.text));
}

// DLPerf's extractor counts lines, and takes each for as many iterations.
void LogAnalyzer::noteStride(const Line& line, std::int64_t number) {
    const std::int64_t stride = format_->lines.stride;
    if (stride == 1 || !isNumberedByIndex() || isStrideNoted_ || aggregator_->reached() ||
        number == ++strides_ * stride) {
        return;
    }
    isStrideNoted_ = true;
    findings_.add("odd-stride",
                  fmt::format("the line is of iteration {}; DLPerf's extractor counts lines and takes it for "
                              "{}, so its figure is of other iterations",
                              number, strides_ * stride),
                  line.number);
}

void LogAnalyzer::noteOddText(const Line& line, std::int64_t number) {
    if (range_.holds(number)) {
        findings_.add(
            "test-line",
            "the line is no training line, but counts in the measurement range as in DLPerf's extractor",
            line.number);
    }
}

// False for a line that stays out of the count.
bool LogAnalyzer::findNumber(const Line& line, const CountedLine& counted, std::int64_t& number) {
    constexpr std::int64_t highest = 1'000'000'000'000;
    const bool hasIndex = counted.index && *counted.index < highest;
    // The time of an epoch belongs to the iteration that was told before it.
    if (format_->rule == RangeRule::SumOfEpochs && counted.value && !hasIndex) {
        number = lastIteration();
        return true;
    }
    if (format_->index.printed() && !hasIndex) {
        if (!format_->indexOptional && !aggregator_->closed()) {
            complain(line, "has no iteration number");
        }
        return false;
    }
    hasIndex_ = hasIndex_ || hasIndex;
    if (format_->indexAbove && *counted.index <= *format_->indexAbove) {
        return false;
    }
    const bool everyIndex = format_->indexMultipleOf == 1;  // a division takes its time
    if (hasIndex && !everyIndex && *counted.index % format_->indexMultipleOf != 0) {
        return false;
    }
    if (isNumberedByIndex()) {
        number = *counted.index + format_->indexOffset;
        return true;
    }
    const bool isOut = format_->badLine == BadLine::Ignored && format_->value.printed() && !counted.value;
    if (!isOut) {
        number = ++counted_;
    }
    return !isOut;
}

// A line's running means become those of the iterations since the line before. Where they began anew between
// the two they are nearly that. Those of a later epoch's first iterations hold the end of the one before.
void LogAnalyzer::takeMeansApart(std::int64_t number, CountedLine& counted) {
    const std::int64_t since = *format_->meanSince;
    if (number == means_.number) {  // another rank tells the same, or another epoch of one line
        counted.value = means_.valueApart ? means_.valueApart : counted.value;
        counted.data = means_.dataApart ? means_.dataApart : counted.data;
        return;
    }
    if (number < means_.number) {
        means_ = {.isFirstEpoch = false};
    }
    const RunningMeans before = means_;
    means_ = {number, counted.value.value_or(0), counted.data.value_or(0), before.isFirstEpoch};
    const auto begin = [since](std::int64_t line) { return line > since ? since : 0; };
    const bool isWhole = number > since || before.isFirstEpoch;
    if (begin(number) != begin(before.number) || !isWhole) {
        return;
    }
    const auto apart = [&](double mean, double meanBefore) {
        const double spent = static_cast<double>(number - begin(number)) * mean -
                             static_cast<double>(before.number - begin(number)) * meanBefore;
        return spent > 0 ? spent / static_cast<double>(number - before.number) : mean;
    };
    if (counted.value) {
        counted.value = apart(*counted.value, before.value);
    }
    if (counted.data) {
        counted.data = apart(*counted.data, before.data);
    }
    if (before.number > 0) {
        means_.valueApart = counted.value;
        means_.dataApart = counted.data;
    }
}

// A running mean, or the seconds of an interval, say something of the iterations since the line before only
// together with it.
std::optional<double> LogAnalyzer::ownValue(std::int64_t number, const CountedLine& counted) {
    const bool isMean = format_->rule == RangeRule::BetweenMeans;
    const bool isInterval =
        format_->rule == RangeRule::SumOfIntervals && format_->quantity == Quantity::IntervalSeconds;
    if (!counted.value || !(isMean || isInterval)) {
        return counted.value;
    }
    const auto before = std::exchange(previousValue_, std::pair(number, *counted.value));
    if (number == before.first) {
        return std::nullopt;  // another rank tells the same
    }
    const std::int64_t start = number > before.first ? before.first : 0;
    const auto iterations = static_cast<double>(number - start);
    if (isInterval) {
        return *counted.value / iterations;
    }
    const auto spentUntil = [&](std::int64_t line, double mean) {
        return line == 0 ? 0 : spentOn(format_->quantity, static_cast<double>(line), mean);
    };
    const double spent = spentUntil(number, *counted.value) - spentUntil(start, before.second);
    return spent > 0 ? std::optional(meanOf(format_->quantity, iterations, spent)) : std::nullopt;
}

// How long one iteration took, where that is what the value says.
std::optional<double> LogAnalyzer::secondsOf(double value) const {
    switch (format_->quantity) {
        case Quantity::Seconds:
            return value;
        case Quantity::BatchMilliseconds:
        case Quantity::Latency:
            return value / 1000;
        case Quantity::IntervalSeconds:
            return format_->rule == RangeRule::SumOfIntervals ? std::optional(value) : std::nullopt;
        default:
            return std::nullopt;
    }
}

// Of one iteration since the last line with a stamp.
std::optional<double> LogAnalyzer::secondsBetweenStamps(std::int64_t number, const PrintedStamp& printed) {
    const auto stamp = printed.read();
    if (!stamp) {
        return std::nullopt;
    }
    const auto before = std::exchange(previous_, std::pair(number, *stamp));
    if (!before || number <= before->first) {
        return std::nullopt;
    }
    const double passed =
        secondsBetween(before->second, *stamp, format_->clock) / static_cast<double>(number - before->first);
    return passed > 0 ? std::optional(passed) : std::nullopt;
}

void LogAnalyzer::hand(const Line& line, std::int64_t number, const CountedLine& counted) {
    const std::int64_t iterationNumber = iterationAt(*format_, number, range_.perRow);
    if (range_.perRow > 1 && number % range_.perRow != 1) {  // one line of an iteration is enough
        return;
    }
    const RunShape& shape = knownShape();
    const auto value = ownValue(number, counted);
    const auto passed = secondsBetweenStamps(iterationNumber, counted.stamp);
    Iteration iteration{iterationNumber, line.number, value ? secondsOf(*value) : std::nullopt, {},
                        counted.loss,    counted.data};
    if (!iteration.seconds) {
        iteration.seconds = passed;
    }
    const auto batch = static_cast<double>(shape.globalBatchSize());
    if (value && !iteration.seconds) {
        const double speed = speedOf(format_->quantity, *value, shape);
        if (speed > 0 && std::isfinite(speed)) {
            iteration.throughput = speed;
        }
        if (iteration.throughput && batch > 0) {
            iteration.seconds = batch / speed;
        }
    } else if (iteration.seconds && *iteration.seconds > 0 && batch > 0) {
        iteration.throughput = batch / *iteration.seconds;
    }
    pace_.add(iteration);
    onIteration_(iteration);
}

void LogAnalyzer::complainOfValue(const ScannedLine& scanned, const CountedLine& counted) {
    if (counted.value || !format_->value.printed()) {
        complain(scanned.line, problem_);
        return;
    }
    const std::string_view doubtful = scanner().doubtfulValue(scanned.text);
    if (!doubtful.empty()) {
        complain(scanned.line, describeDoubtful(doubtful));
    } else if (!scanner().isValueUnknown(scanned.text)) {
        complain(scanned.line, problem_);
    }
}

std::string LogAnalyzer::describeDoubtful(std::string_view value) {
    return fmt::format(
        "holds \"{}\" and may mean another number than its first digits say (the format must name the text "
        "that follows and the number must have plain digits)",
        cleanUtf8(value));
}

void LogAnalyzer::complain(const Line& line, const std::string& problem) {
    if (format_->badLine == BadLine::Ignored) {
        return;
    }
    if (line.torn) {
        findings_.add("torn-line", "the last line is not whole and is skipped: it " + problem, line.number);
    } else if (format_->badLine == BadLine::Noted) {
        findings_.add("odd-line", "the line " + problem, line.number);
    } else {
        const std::string what =
            "the line " + problem + "; DLPerf's extractor aborts here, so the log has no figure";
        if (abort_.empty()) {
            abort_ = fmt::format("line {}: {}", line.number, what);
        }
        findings_.add("unreadable-line", what, line.number);
    }
}

RunShape LogAnalyzer::shape() const {
    RunShape shape = header_.shape(pathShape_.topology).value_or(pathShape_);
    shape.workerDevices = workerDevices_;
    shape.accumulation = accumulation_;
    return shape;
}

const RunShape& LogAnalyzer::knownShape() {
    if (!shape_) {
        shape_ = shape();
    }
    return *shape_;
}

Measured LogAnalyzer::measure() const {
    Measured result = aggregator_->measure(shape(), header_.words());
    if (result.value && !(*result.value > 0 && std::isfinite(*result.value))) {
        result = {};
        result.problem = RangeProblem::NoFiniteSpeed;
        result.explanation = "the times in the measurement range give no finite speed above zero";
    }
    return result;
}

MissingReason LogAnalyzer::missingReason(const Measured& measured) const {
    if (format_->header.required && !header_.shape(pathShape_.topology)) {
        return MissingReason::NoHeader;
    }
    if (!abort_.empty()) {
        return MissingReason::UnreadableLine;
    }
    if (measured.value) {
        return MissingReason::None;
    }
    return measured.problem == RangeProblem::ShortRange && lastIteration() < measurement_.train
               ? MissingReason::EndsEarly
               : MissingReason::NoSpeed;
}

std::string LogAnalyzer::describe(MissingReason reason, const Measured& measured) const {
    switch (reason) {
        case MissingReason::NoHeader:
            return "the log does not say its nodes, devices and batch size";
        case MissingReason::UnreadableLine:
            return abort_;
        case MissingReason::EndsEarly:
            if (highest_ == 0 && hasLines_ && !hasIndex_) {
                return "none of the lines that could be of an iteration can be read";
            }
            return countsLinesOnly(*format_)
                       ? fmt::format(
                             "the log has {} lines that count as iterations, the measurement range needs {}",
                             lastIteration(), measurement_.train)
                       : fmt::format("the log ends at iteration {}, the measurement range at {}",
                                     lastIteration(), measurement_.train);
        case MissingReason::NoSpeed:
            return measured.explanation;
        case MissingReason::None:
            break;
    }
    return {};
}

void LogAnalyzer::noteValidation(FindingList& findings) const {
    for (const Finding& finding : validation_.findings()) {
        findings.add(finding.kind, finding.what, 0);
    }
    if (hasSeveralRanks() && !format_->everyRankPrints) {
        findings.add("several-ranks",
                     "lines of several ranks are mixed in the log and count as those of one, as in DLPerf's "
                     "extractor: the measurement range may be shorter than it says",
                     0);
    }
}

RunFigure LogAnalyzer::figure() const {
    RunFigure result;
    result.lastIteration = lastIteration();
    result.hasLines = hasLines_;
    result.firstPass = firstPass_;
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
    const int devices = shape().topology.worldSize();
    if (workerDevices_ > devices) {
        findings.add("header-contradicts",
                     fmt::format("the log says that one worker drives {} devices, the run has {}",
                                 workerDevices_, devices),
                     0);
    }
    const Measured measured = measure();
    result.missing = missingReason(measured);
    result.whyNone = describe(result.missing, measured);
    result.betweenLines = measured.betweenLines;
    if (result.missing == MissingReason::NoHeader) {
        if (finished()) {
            findings.add("no-header", result.whyNone, 0);
        }
    } else if (result.missing != MissingReason::UnreadableLine) {
        result.value = measured.value;
        result.dlperfValue = measured.dlperfValue;
        if (measured.value) {
            noteValidation(findings);
        }
        const bool tooEarly = !finished() && !aggregator_->reached();
        if (measured.problem != RangeProblem::None && !tooEarly) {
            findings.add(findingKind(measured.problem), measured.explanation, 0);
        }
    }
    result.findings = findings.list();
    return result;
}

}  // namespace dlperf::analysis
