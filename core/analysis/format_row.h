// SPDX-License-Identifier: Apache-2.0
// The columns of the table of log formats. A new format is a new object in formats.json; a new rule is a new
// value of one of the enumerations here, its name in format_json.cpp and its branch in the engine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/format.h"
#include "core/analysis/summary.h"
#include "core/model/case.h"

namespace dlperf::analysis {

// Where one thing stands in a counted line. Neither `after` nor `word`: the format does not print it.
struct Capture {
    std::string after;    // the literal text before it
    bool last = false;    // after the last such text instead of the first
    int word = 0;         // or: the line's n-th word, from 1, at single blanks
    std::string before;   // the literal text that must follow the number, blanks between them aside
    std::string pattern;  // RE2 that must match right behind `after`; group 1 is the number

    bool printed() const { return !after.empty() || word > 0; }
};

// How a counted line gets its number.
enum class Numbering {
    Counted,  // 1, 2, 3 … over the counted lines of the file
    Printed,  // the printed index plus `indexOffset`
};

// What the value of a line is.
enum class Quantity {
    Seconds,      // of one iteration
    Speed,        // samples per second of all devices
    NodeSpeed,    // samples per second of one node
    WorkerSpeed,  // samples per second of one worker, which drives as many devices as the header says, or one
    DeviceBatches,  // batches of one device per second, over all nodes: times devices per node and batch size
    BatchMilliseconds,  // for one batch of every device
    EpochMilliseconds,  // of all iterations since the last such line
    Latency,            // milliseconds of one iteration
    IntervalSeconds,    // of the iterations between two printed lines
};

// The clock that a line carries.
enum class Clock {
    None,
    DateTimeDot,       // 2020-09-15 14:28:53.498443, 1 to 6 digits
    DateTimeComma,     // 2020-09-15 14:28:53,498, 1 to 6 digits
    DateTimeMillis,    // 2020-09-15 14:28:53,498, the first 3 digits
    TimeOfDay,         // 14:28:53.498443, no date
    EpochSeconds,      // 1597933942.9863544, the line's last word
    EpochSecondsThird  // the line's third word
};

// What is measured.
enum class RangeRule {
    SumOfDurations,   // the printed durations of the range's lines
    BetweenStamps,    // the clock at the range's first and last line
    BetweenMeans,     // running means, of all iterations so far, at the range's first and last line
    MeanOfSpeeds,     // the mean of the speeds of the range's lines
    SumOfIntervals,   // the times from line to line, of which each line tells its own, within the range
    SumOfEpochs,      // the printed times of the epochs within the range
    MeanOfIntervals,  // latency: the mean of the intervals but the one that ends at the warmup
    MeanOfLatencies,  // latency: the mean of all lines but the first and the last
    LatencyBetween,   // latency: the clock at the first line and a thousand iterations later
};

// Which counted lines the range's iterations are.
struct RangeLines {
    int stride = 1;   // iterations from one counted line to the next, as DLPerf's extractor takes it
    int skipped = 0;  // iterations at the start for which nothing is printed
    int least = 0;    // a lower warmup is taken as this one
    bool leastIsSubtracted = false;  // and a higher one is lowered by it (so DLPerf's extractors for MXNet)
    int shift = 0;                   // lines by which the range begins later (or earlier) than all this says
    bool openEnd = false;            // it goes on to the last line
    bool countsLines = false;        // iterations are counted by these lines, not as train - warmup
};

// Which products are formed first decides the last bit.
enum class Quotient {
    BatchOverMean,     // global batch / (seconds / measured)
    SamplesOverTotal,  // global batch * measured / seconds
};

// What a counted line without its fields does to the log.
enum class BadLine {
    EndsLog,  // DLPerf's extractor aborts: the log has no figure
    Noted,    // the line is skipped
    Ignored,  // it does not count
};

// What DLPerf's extractor gives for a log that ends before its range does.
enum class ShortRun { Zero, MeanOfPart, Aborts, Unknown };

// How the header of the log spells the run's own shape.
enum class HeaderStyle { None, HashColon, NameEquals };  // "# key: value", "name = value"
struct HeaderKeys {
    HeaderStyle style = HeaderStyle::None;
    std::string batchSize;       // per device
    std::string totalBatchSize;  // where that of all devices is printed instead
    std::string nodes;
    std::string devices;    // per node
    std::string worldSize;  // where nodes and devices are not told apart
    std::string precision;
    // What else tells cases apart, by its key, and the values that do not: the recipe's default comes first,
    // then how the trainer prints it.
    std::map<std::string, std::vector<std::string>> options;
    // The same of lines "asked_NAME": what the trainer was told, where that line is there, and not what came
    // of it on that machine.
    std::map<std::string, std::vector<std::string>> asked;
    // RE2, searched in the lines before the first that counts. Of the first one group 1 lists the devices
    // that one worker drives, with commas between them; of the second it is the number of batches whose
    // gradients an iteration sums.
    std::string workerDevices;
    std::string accumulation;
    bool required = false;   // without it there is no figure
    bool namesCase = false;  // nodes, devices and batch come from here, not from the path
};

// What a log says of its run elsewhere than in a header: RE2, group 1 is the number or the word. An import
// looks for them in the log's head, for `figure` in its last lines.
struct SaidPatterns {
    std::string batchSize;        // samples per device
    std::string totalBatchSize;   // or of all devices
    std::string workerBatchSize;  // or of the devices that one worker drives (see HeaderKeys)
    std::string nodes;
    std::string devices;  // per node
    std::string precision;
    std::string model;
    std::map<std::string, std::string> models;  // the trainer's word for one: its id in the vocabulary
    std::string figure;                         // samples per second of all devices, over the whole run
};

struct FigureRounding {
    Rounding rule = Rounding::Python;
    int decimals = 2;
    friend bool operator==(const FigureRounding&, const FigureRounding&) = default;
};

struct Format {
    std::string name;
    std::string title;
    std::string unit;            // of the figure; "ms" for a latency
    std::string implementation;  // id in the vocabulary: whose logs these are
    std::string source;          // which extractor of DLPerf the row agrees with
    std::string model;           // the format's model; empty: the file name says
    std::string written;         // the row as JSON, to be kept with what it measured

    // How a log is recognised beside its lines.
    std::vector<std::string> recognisedBy;  // one of these stands in some counted line; empty: no need
    std::string secondTo;                   // another format that reads the same lines and goes first
    std::string flavourOf;                  // the format under whose name these logs go as well

    MeasurementRange range;
    int lowestWarmup = 0;
    int warmupMultipleOf = 1;
    int trainMultipleOf = 1;
    RangeLines lines;

    // Which lines count: those that hold all texts of one of these.
    std::vector<std::vector<std::string>> markers;
    bool markerStartsLine = false;
    Numbering numbering = Numbering::Counted;
    Capture index;
    Capture indexFactor;            // the index is its product with this one
    bool indexOptional = false;     // a counted line may have none; it has no number then
    std::optional<int> indexAbove;  // lower indexes do not count
    int indexMultipleOf = 1;        // others do not count
    int indexOffset = 0;            // 1 where the trainer counts from 0
    bool everyRankPrints = false;   // a line for each device and iteration
    bool exactCount = false;        // DLPerf's extractor aborts at a line too many

    // What they hold.
    Quantity quantity = Quantity::Seconds;
    Capture value;
    std::optional<FigureRounding> valueRounding;  // of a running mean: its decimals, which bound the figure
    bool dropsLeadingDigits = false;              // the extractor reads one digit before the point only
    // Value and data are means of all iterations of the epoch so far, begun anew after this one.
    std::optional<int> meanSince;
    Clock clock = Clock::None;
    bool everyLineStamped = false;  // else only the range's first and last line need their stamps
    Capture loss;
    Capture data;  // seconds
    // A counted line with this text is no training line, but DLPerf counts it: noted when it falls in the
    // range.
    std::string oddText;

    // What is made of them.
    RangeRule rule = RangeRule::SumOfDurations;
    Quotient quotient = Quotient::BatchOverMean;
    std::optional<FigureRounding> lineSpeed;  // rounding of each line's speed
    std::optional<FigureRounding> figure;     // none: unrounded
    bool stopsAtEnd = true;                   // nothing behind the range's last line is read
    BadLine badLine = BadLine::EndsLog;
    ShortRun shortRun = ShortRun::Zero;
    FoldRule fold;
    HeaderKeys header;
    SaidPatterns said;
    bool batchesShareFolder = false;  // several batch sizes in one folder are normal
    bool logsLieFlat = false;         // folder/*.log instead of folder/*/*.log
};

}  // namespace dlperf::analysis
