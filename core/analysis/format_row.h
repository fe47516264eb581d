// SPDX-License-Identifier: Apache-2.0
// The columns of the table of log formats. A new format is a new row in formats.cpp; a new rule is a new
// value of one of the enumerations here and its branch in the engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/format.h"
#include "core/analysis/summary.h"
#include "core/model/case.h"

namespace dlperf::analysis {

// Where one thing stands in a counted line. No `after`: the format does not print it.
struct Capture {
    std::string after;  // the literal text before it
    bool last = false;  // after the last such text instead of the first
    std::string
        pattern;  // RE2 that must match right there, group 1 is the text; empty: a number stands there
};

// How a counted line gets its number.
enum class Numbering {
    Counted,  // 1, 2, 3 … over the counted lines of the file
    Printed,  // the printed index plus `indexOffset`
};

// The clock that a line carries.
enum class Clock {
    None,
    DateTimeDot,    // 2020-09-15 14:28:53.498443, 1 to 6 digits
    DateTimeComma,  // 2020-09-15 14:28:53,498, the first 3 digits
    EpochSeconds,   // 1597933942.9863544, the line's last word
};

// What is measured between warmup (W) and train (T).
enum class WindowRule {
    SumOfDurations,  // the printed durations of W+1 to T
    BetweenStamps,   // the clock at W and at T
    MeanOfSpeeds,    // the mean of the speeds of the lines W+1 to T
};

// Which products are formed first decides the last bit.
enum class Quotient {
    BatchOverMean,     // global batch / (seconds / measured)
    SamplesOverTotal,  // global batch * measured / seconds
};

// What a counted line without its fields does to the log.
enum class BadLine {
    EndsLog,  // DLPerf's extractor aborts: the log has no figure
    Noted,    // the line is left out
};

// What DLPerf's extractor gives for a log that ends before its window does.
enum class ShortRun { Zero, MeanOfPart, Aborts, Unknown };

// How the header of the log spells the run's own shape.
enum class HeaderStyle { None, HashColon, NameEquals };  // "# key: value", "name = value"
struct HeaderKeys {
    HeaderStyle style = HeaderStyle::None;
    std::string batchSize;
    std::string nodes;
    std::string devices;    // per node
    std::string worldSize;  // where nodes and devices are not told apart
    std::string precision;
    bool required = false;   // without it there is no figure
    bool namesCase = false;  // nodes, devices and batch come from here, not from the path
};

struct FigureRounding {
    Rounding rule = Rounding::Python;
    int decimals = 2;
};

struct Format {
    std::string name;
    std::string title;
    std::string unit;
    std::string implementation;  // id in the vocabulary: whose logs these are
    std::string source;          // which extractor of DLPerf the row agrees with
    std::string model;           // the format's model; empty: the file name says
    Window window;
    int lowestWarmup = 0;

    // Which lines count.
    std::vector<std::string> markers;  // all of them stand in the line
    bool markerStartsLine = false;
    Numbering numbering = Numbering::Counted;
    Capture index;
    bool indexOptional = false;     // a counted line may have none; it has no number then
    std::optional<int> indexAbove;  // lower indexes do not count
    int indexOffset = 0;

    // What they hold.
    Capture duration;                 // seconds
    bool dropsLeadingDigits = false;  // the extractor reads one digit before the point only
    Clock clock = Clock::None;
    bool everyLineStamped = false;  // else only the window's first and last line need their stamps
    Capture loss;
    Capture data;  // seconds
    // A counted line with this text is no training line, but DLPerf counts it: noted when it falls in the
    // window.
    std::string oddText;

    // What is made of them.
    WindowRule rule = WindowRule::SumOfDurations;
    Quotient quotient = Quotient::BatchOverMean;
    std::optional<FigureRounding> lineSpeed;  // rounding of each line's speed
    std::optional<FigureRounding> figure;     // none: unrounded
    bool stopsAtEnd = true;                   // nothing behind the window's last line is read
    BadLine badLine = BadLine::EndsLog;
    ShortRun shortRun = ShortRun::Zero;
    FoldRule fold;
    HeaderKeys header;
    bool batchesShareFolder = false;  // several batch sizes in one folder are normal
};

}  // namespace dlperf::analysis
