// SPDX-License-Identifier: Apache-2.0
// Rows of every kind, over logs with odd lines: the figure is the same in any chunks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>

#include "core/analysis/format_row.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/log_analyzer.h"

namespace dlperf::analysis {
namespace {

// A line an iteration, whose index now and then is that of the line before, starts anew or leaves some out;
// whose time now and then is zero; and some of which are cut.
std::string oddLog(std::minstd_rand& random) {
    std::string log = "head\n";
    std::int64_t index = 100;
    const auto start = random() % 3 * 400;
    for (int i = 0; i < 1000; ++i) {
        const auto odd = random() % 150;
        index += odd == 0 ? 0 : odd == 1 ? 10 : 1;
        if (odd == 2) {
            index = 0;
        }
        log += fmt::format("2020-09-15 14:{:02}:{:02}.{:03}000 1 step={} took {}.{:02} ms\tfactor 1 of {}",
                           i / 60 % 60, i % 60, random() % 1000, index + static_cast<std::int64_t>(start),
                           odd == 3 ? 0 : 30 + i / 20, odd == 3 ? 0 : random() % 100, random() % 5);
        if (random() % 400 == 0) {
            log += std::string(70'000, 'x');
        }
        log += odd == 4 ? "\r\n" : odd == 5 ? "\rnot 7\n" : "\n";
    }
    return log;
}

// In chunks of a random size, or the whole at once.
RunFigure figureOf(const Format& format, const MeasurementRange& window, const std::string& log,
                   const OnIteration& onIteration, std::minstd_rand* random) {
    LogAnalyzer analyzer(std::make_shared<const LineScanner>(format), {{1, 1}, 128}, window, onIteration);
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t most = random == nullptr ? log.size() : (*random)() % 2 == 0 ? 10'000 : 300'000;
        const std::string bytes = log.substr(at, random == nullptr ? most : 1 + (*random)() % most);
        analyzer.feed(bytes);
        at += bytes.size();
    }
    analyzer.finish();
    return analyzer.figure();
}

Format plainFormat() {
    Format format;
    format.name = "own";
    format.markers = {{"step="}};
    format.index.after = "step=";
    format.value.after = "took ";
    format.quantity = Quantity::Speed;
    format.rule = RangeRule::MeanOfSpeeds;
    format.badLine = BadLine::Noted;
    return format;
}

struct OwnFormat {
    const char* what;
    void (*change)(Format& format);
};
void PrintTo(const OwnFormat& format, std::ostream* out) {
    *out << format.what;
}

class OwnFormats : public testing::TestWithParam<OwnFormat> {};

TEST_P(OwnFormats, GiveTheSameInChunks) {
    Format format = plainFormat();
    GetParam().change(format);
    std::minstd_rand random(17);
    for (int i = 0; i < 12; ++i) {
        const std::string log = oddLog(random);
        for (const MeasurementRange window : {MeasurementRange{2, 10}, MeasurementRange{20, 120},
                                              MeasurementRange{100, 700}, MeasurementRange{150, 160}}) {
            const RunFigure whole = figureOf(format, window, log, ignoreIteration, nullptr);
            const RunFigure pieces = figureOf(format, window, log, {}, &random);
            ASSERT_EQ(pieces.value, whole.value) << "window " << window.warmup << ", log " << i;
            ASSERT_EQ(pieces.dlperfValue, whole.dlperfValue);
            ASSERT_EQ(pieces.lastIteration, whole.lastIteration);
            ASSERT_EQ(pieces.findings, whole.findings) << "window " << window.warmup << ", log " << i;
        }
    }
}

const OwnFormat ownFormats[]{
    {"plain", [](Format&) {}},
    {"reads_on", [](Format& format) { format.stopsAtEnd = false; }},
    {"open_end", [](Format& format) { format.lines.openEnd = true; }},
    {"open_end_reads_on",
     [](Format& format) {
         format.lines.openEnd = true;
         format.stopsAtEnd = false;
     }},
    {"numbered_open_end",
     [](Format& format) {
         format.lines.openEnd = true;
         format.numbering = Numbering::Printed;
     }},
    {"exact_count",
     [](Format& format) {
         format.exactCount = true;
         format.stopsAtEnd = false;
     }},
    {"exact_count_stops", [](Format& format) { format.exactCount = true; }},
    {"numbered", [](Format& format) { format.numbering = Numbering::Printed; }},
    {"numbered_offset",
     [](Format& format) {
         format.numbering = Numbering::Printed;
         format.indexOffset = -100;
     }},
    {"above", [](Format& format) { format.indexAbove = 5; }},
    {"multiple_of", [](Format& format) { format.indexMultipleOf = 10; }},
    {"factor", [](Format& format) { format.indexFactor.after = "of "; }},
    {"no_index", [](Format& format) { format.index = {}; }},
    {"seconds",
     [](Format& format) {
         format.quantity = Quantity::Seconds;
         format.rule = RangeRule::SumOfDurations;
     }},
    {"numbered_seconds",
     [](Format& format) {
         format.quantity = Quantity::Seconds;
         format.rule = RangeRule::SumOfDurations;
         format.numbering = Numbering::Printed;
         format.badLine = BadLine::EndsLog;
     }},
    {"one_digit",
     [](Format& format) {
         format.quantity = Quantity::Seconds;
         format.rule = RangeRule::SumOfDurations;
         format.dropsLeadingDigits = true;
     }},
    {"stamps",
     [](Format& format) {
         format.clock = Clock::DateTimeDot;
         format.rule = RangeRule::BetweenStamps;
     }},
    {"every_stamp",
     [](Format& format) {
         format.clock = Clock::DateTimeDot;
         format.rule = RangeRule::BetweenStamps;
         format.everyLineStamped = true;
         format.value = {};
     }},
    {"intervals",
     [](Format& format) {
         format.numbering = Numbering::Printed;
         format.rule = RangeRule::SumOfIntervals;
         format.quantity = Quantity::WorkerSpeed;
     }},
    {"interval_seconds_read_on",
     [](Format& format) {
         format.numbering = Numbering::Printed;
         format.rule = RangeRule::SumOfIntervals;
         format.quantity = Quantity::IntervalSeconds;
         format.stopsAtEnd = false;
     }},
    {"means",
     [](Format& format) {
         format.numbering = Numbering::Printed;
         format.rule = RangeRule::BetweenMeans;
         format.valueRounding = FigureRounding{Rounding::Python, 1};
     }},
    {"means_of_seconds",
     [](Format& format) {
         format.numbering = Numbering::Printed;
         format.rule = RangeRule::BetweenMeans;
         format.quantity = Quantity::Seconds;
         format.data.after = "factor ";
     }},
    {"numbered_stride",
     [](Format& format) {
         format.numbering = Numbering::Printed;
         format.lines.stride = 10;
     }},
    {"pattern", [](Format& format) { format.value.pattern = "([0-9.]+) ms"; }},
    {"digit_marker",
     [](Format& format) {
         format.markers = {{"factor 1"}, {"of 3"}};
     }},
    {"two_digit_markers",
     [](Format& format) {
         format.markers = {{"factor 1", "of 3"}};
     }},
    {"rounded",
     [](Format& format) {
         format.valueRounding = FigureRounding{Rounding::Python, 0};
     }},
    {"data", [](Format& format) { format.data.after = "factor "; }},
    {"odd_text", [](Format& format) { format.oddText = "xx"; }},
};

INSTANTIATE_TEST_SUITE_P(All, OwnFormats, testing::ValuesIn(ownFormats),
                         [](const auto& one) { return one.param.what; });

}  // namespace
}  // namespace dlperf::analysis
