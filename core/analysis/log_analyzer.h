// SPDX-License-Identifier: Apache-2.0
// One parser, live and after: fed with the bytes of a node's log, it hands out iterations and, of node 0's
// log, the run's figure. Where a format gives times, a throughput that the line prints too is not read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/format.h"
#include "core/analysis/header_reader.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/pace.h"
#include "core/analysis/range_aggregator.h"
#include "core/analysis/range_validation.h"
#include "core/analysis/run_figure.h"

namespace dlperf::analysis {

// Gets the iterations of a log, in log order.
using OnIteration = std::function<void(const Iteration&)>;

// For who wants their pace only.
inline void ignoreIteration(const Iteration& /*iteration*/) {}

class LogAnalyzer final : public LineReader {
public:
    // Where nobody wants the iterations only the figure and the findings are read, which is faster.
    LogAnalyzer(const Format& format, RunShape shape, MeasurementRange range, OnIteration onIteration = {});
    // With a scanner that many logs of one format share.
    LogAnalyzer(std::shared_ptr<const LineScanner> scanner, RunShape shape, MeasurementRange range,
                OnIteration onIteration = {});

    // Of the iterations so far.
    [[nodiscard]] const Pace& pace() const { return pace_; }
    // True once the log holds the whole range: a run with "stop": "when-measured" may be stopped.
    [[nodiscard]] bool rangeReached() const { return aggregator_->reached(); }
    // The figure so far; final after finish().
    [[nodiscard]] RunFigure figure() const;

private:
    // Findings of one log, bounded: the first of a kind stands with its line, the others are counted.
    class FindingList {
    public:
        void add(const std::string& kind, const std::string& what, std::int64_t line);
        [[nodiscard]] std::vector<Finding> list() const;

    private:
        struct Entry {
            Finding first;
            std::int64_t count = 0;
        };
        std::vector<Entry> entries_;
    };

    void take(const ScannedLine& scanned) override;
    bool isNumberedByIndex() const { return format_->numbering == Numbering::Printed; }
    void count(const ScannedLine& scanned);
    bool findNumber(const Line& line, const CountedLine& counted, std::int64_t& number);
    void hand(const Line& line, std::int64_t number, const CountedLine& counted);
    std::optional<double> ownValue(std::int64_t number, const CountedLine& counted);
    std::optional<double> secondsOf(double value) const;
    std::optional<double> secondsBetweenStamps(std::int64_t number, const PrintedStamp& stamp);
    void addData(const ScannedLine& scanned, const CountedLine& counted);
    void takeMeansApart(std::int64_t number, CountedLine& counted);
    void noteStride(const Line& line, std::int64_t number);
    void noteRepeat(std::int64_t index, std::int64_t number);
    [[nodiscard]] bool hasSeveralRanks() const;
    void noteOddText(const Line& line, std::int64_t number);
    void complainOfValue(const ScannedLine& scanned, const CountedLine& counted);
    [[nodiscard]] static std::string describeDoubtful(std::string_view value);
    void complain(const Line& line, const std::string& problem);
    Measured measure() const;
    MissingReason missingReason(const Measured& measured) const;
    std::string describe(MissingReason reason, const Measured& measured) const;
    void noteValidation(FindingList& findings) const;
    std::int64_t lastIteration() const {
        return highest_ > 0 ? iterationAt(*format_, highest_, range_.perRow) : 0;
    }
    RunShape shape() const;
    const RunShape& knownShape();  // once the first line counts

    const Format* format_;
    RunShape pathShape_;
    MeasurementRange measurement_;
    OnIteration onIteration_;
    LineRange range_;
    HeaderReader header_;
    std::unique_ptr<RangeAggregator> aggregator_;
    RangeValidation validation_;
    std::int64_t lastIndex_ = -1;
    std::int64_t firstIndex_ = -1;
    std::int64_t lastRepeated_ = -1;
    int returns_ = 0;          // to lower indexes above the first one, until the range is whole
    bool beganAgain_ = false;  // with the first one, or a lower one
    bool hasIndex_ = false;    // some line tells it
    int repeatedIndexes_ = 0;  // one after another
    FindingList findings_;
    Pace pace_;
    int workerDevices_ = 1;
    int accumulation_ = 1;
    bool isStrideNoted_ = false;
    std::int64_t strides_ = 0;  // lines so far, until one is noted
    bool hasLines_ = false;
    std::int64_t counted_ = 0;
    std::int64_t highest_ = 0;  // number of a counted line
    std::int64_t firstPass_ = 0;
    std::optional<std::pair<std::int64_t, Stamp>> previous_;
    std::pair<std::int64_t, double> previousValue_;  // number and value of the line before
    struct RunningMeans {
        std::int64_t number = 0;  // of the line before
        double value = 0;
        double data = 0;
        bool isFirstEpoch = true;
        std::optional<double> valueApart{};  // where there was a line before it
        std::optional<double> dataApart{};
    } means_;
    std::optional<RunShape> shape_;
    std::string problem_;  // of the newest line, where there is one
    std::string abort_;    // the line that made DLPerf's extractor abort, and why
};

}  // namespace dlperf::analysis
