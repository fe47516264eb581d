// SPDX-License-Identifier: Apache-2.0
// What a piece of a log holds as columns, and what it does not. That figures are the same: vectors_test.cpp.
#include "core/analysis/steady_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "core/analysis/format_row.h"
#include "core/analysis/scanned_piece.h"
#include "core/analysis/value_list.h"
#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

std::string faceLine(int i) {
    return fmt::format("train: iter {}, loss 19.5, throughput: {}.250\n", i, 700 + i % 100);
}

// What a piece that holds the log alone makes of it; its head is one line.
class Piece {
public:
    Piece(const std::string& format, const std::string& lines)
        : bytes_("head\n" + lines), reader_(std::make_shared<const LineScanner>(*findFormat(format)), false) {
        piece_.scan(bytes_, reader_);
    }
    ScannedPiece& operator*() { return piece_; }
    std::size_t runs() const { return piece_.steadyLines().runs(); }
    SteadyLines run(std::size_t i) const { return piece_.steadyLines().run(i); }

private:
    std::string bytes_;
    LineReader reader_;
    ScannedPiece piece_;
};

TEST(SteadyLines, HoldTheNumbersOfLinesOfKnownShapes) {
    std::string log;
    for (int i = 995; i < 1500; ++i) {
        log += faceLine(i);
    }
    Piece piece("oneflow-face", log);
    ASSERT_EQ(piece.runs(), 1U);
    const SteadyLines run = piece.run(0);
    ASSERT_EQ(run.count, 505U);
    EXPECT_TRUE((*piece).lines().empty());
    EXPECT_EQ(run.dlperfValues, nullptr);
    for (std::size_t i = 0; i < run.count; ++i) {
        const Line line = run.line(i);
        const auto number = static_cast<int>(run.indexes[i]);
        EXPECT_EQ(std::string(line.text) + '\n', faceLine(number));
        EXPECT_EQ(line.number, number - 995 + 1);
        EXPECT_EQ(run.values[i], 700.25 + number % 100);
    }
}

TEST(SteadyLines, HaveTwoValuesWhereTheExtractorReadsAnother) {
    std::string log;
    for (int i = 0; i < 40; ++i) {
        log += fmt::format(
            "Epoch: [0][{}/5005]\tTime 12.{:03} ( 0.363)\tData  0.020 ( 0.039)\tLoss 6.9e+00\n", 100 + i, i);
    }
    Piece piece("pytorch-examples", log);
    ASSERT_EQ(piece.runs(), 1U);
    const SteadyLines run = piece.run(0);
    ASSERT_EQ(run.count, 40U);
    EXPECT_EQ(run.indexes[39], 139);
    EXPECT_EQ(run.values[39], 12.039);
    EXPECT_EQ(run.dlperfValues[39], 2.039);
    EXPECT_EQ(run.textOf(39).find("Epoch: [0][139/"), 0U);
}

TEST(SteadyLines, EndWhereAnotherLineMattersAndNotWhereNoneDoes) {
    const auto trained = [](int i) { return fmt::format("iteration {} epoch 0 loss 7.0 time 1.2 s\n", i); };
    std::string log;
    for (int i = 100; i < 200; ++i) {
        log += trained(i);
        if (i == 120 || i == 140) log += "saved\n";
        if (i == 160) log += "# batch_size: 128\n";
    }
    Piece piece("dlperf-worker", log);
    ASSERT_EQ(piece.runs(), 2U);
    EXPECT_EQ(piece.run(0).count, 61U);
    EXPECT_EQ(piece.run(0).othersBefore, 0U);
    EXPECT_EQ(piece.run(0).line(60).number, 63);
    EXPECT_EQ(piece.run(1).count, 39U);
    EXPECT_EQ(piece.run(1).othersBefore, 1U);
    EXPECT_EQ(piece.run(1).indexes[38], 199);
    EXPECT_EQ(piece.run(1).line(0).number, 65);
    EXPECT_EQ((*piece).lineCount(), 103);
}

// Lines of one shape, some of which are of the epoch that is measured.
TEST(SteadyLines, CountByTheirDigitsWhereAMarkerHoldsOne) {
    std::string log;
    for (int i = 100; i < 200; ++i) {
        log += fmt::format("INFO:root:Epoch[{}] Batch[{}]\tSpeed: 350.25 samples/sec\taccuracy=0.5\n",
                           i / 50 - 2, i);
    }
    Piece piece("mxnet-resnet50", log);
    ASSERT_EQ(piece.runs(), 1U);
    EXPECT_EQ(piece.run(0).count, 50U);
    EXPECT_TRUE((*piece).lines().empty());
}

TEST(SteadyLines, TellRanksThatDifferInADigitOnly) {
    const auto log = [](int ranks) {
        std::string lines;
        for (int i = 100; i < 150; ++i) {
            lines += fmt::format("[rank{}]: {}", i % ranks, faceLine(i));
        }
        return lines;
    };
    EXPECT_FALSE((*Piece("oneflow-face", log(1))).ranks().mixed());
    EXPECT_TRUE((*Piece("oneflow-face", log(2))).ranks().mixed());
    EXPECT_EQ(Piece("oneflow-face", log(2)).run(0).textOf(0).find("train: iter 100"), 0U);
}

// What is left is for who takes the piece's tail.
TEST(SteadyLines, AreNoMoreThanMemoryIsMeantFor) {
    std::string log;
    for (int i = 0; i < 60'000; ++i) {
        log += faceLine(100'000 + i);
    }
    Piece piece("oneflow-face", log);
    std::size_t steady = 0;
    for (std::size_t i = 0; i < piece.runs(); ++i) {
        steady += piece.run(i).count;
    }
    EXPECT_LT(steady + (*piece).lines().size(), 20'000U);
    EXPECT_GT((*piece).tail().size(), 1'000'000U);
    const auto scanner = std::make_shared<const LineScanner>(*findFormat("oneflow-face"));
    LogAnalyzer analyzer(scanner, {{1, 1}, 128}, {20, 150'000}, Detail::FigureOnly);
    analyzer.feed(*piece);
    EXPECT_EQ(analyzer.figure().lastIteration, 60'000);
}

// A line an iteration, whose index now and then is that of the line before, starts anew or leaves some out;
// whose time now and then is zero; and some of which are cut.
std::string oddLog(std::minstd_rand& random) {
    std::string log = "head\n";
    std::int64_t index = 100;
    const auto start = random() % 3 * 400;
    for (int i = 0; i < 1000; ++i) {
        const auto odd = random() % 150;
        index += odd == 0 ? 0 : odd == 1 ? 10 : 1;
        if (odd == 2) index = 0;
        log += fmt::format("2020-09-15 14:{:02}:{:02}.{:03}000 1 step={} took {}.{:02} ms\tfactor 1 of {}",
                           i / 60 % 60, i % 60, random() % 1000, index + static_cast<std::int64_t>(start),
                           odd == 3 ? 0 : 30 + i / 20, odd == 3 ? 0 : random() % 100, random() % 5);
        if (random() % 400 == 0) log += std::string(70'000, 'x');
        log += odd == 4 ? "\r\n" : odd == 5 ? "\rnot 7\n" : "\n";
    }
    return log;
}

RunFigure figureInPieces(const Format& format, const Window& window, const std::string& log,
                         std::minstd_rand& random) {
    const auto scanner = std::make_shared<const LineScanner>(format);
    LineReader reader(scanner, false);
    LogAnalyzer analyzer(scanner, {{1, 1}, 128}, window, Detail::FigureOnly);
    ScannedPiece piece;
    for (std::size_t at = 0; at < log.size();) {
        const std::string bytes = log.substr(at, 1 + random() % (random() % 2 == 0 ? 10'000 : 300'000));
        piece.scan(bytes, reader);
        analyzer.feed(piece);
        at += bytes.size();
    }
    analyzer.finish();
    return analyzer.figure();
}

RunFigure figureOfBytes(const Format& format, const Window& window, const std::string& log) {
    LogAnalyzer analyzer(format, {{1, 1}, 128}, window);
    analyzer.feed(log);
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
    format.rule = WindowRule::MeanOfSpeeds;
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

TEST_P(OwnFormats, GiveTheSameInPieces) {
    Format format = plainFormat();
    GetParam().change(format);
    std::minstd_rand random(17);
    for (int i = 0; i < 12; ++i) {
        const std::string log = oddLog(random);
        for (const Window window : {Window{2, 10}, Window{20, 120}, Window{100, 700}, Window{150, 160}}) {
            const RunFigure whole = figureOfBytes(format, window, log);
            const RunFigure pieces = figureInPieces(format, window, log, random);
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
         format.rule = WindowRule::SumOfDurations;
     }},
    {"numbered_seconds",
     [](Format& format) {
         format.quantity = Quantity::Seconds;
         format.rule = WindowRule::SumOfDurations;
         format.numbering = Numbering::Printed;
         format.badLine = BadLine::EndsLog;
     }},
    {"one_digit",
     [](Format& format) {
         format.quantity = Quantity::Seconds;
         format.rule = WindowRule::SumOfDurations;
         format.dropsLeadingDigits = true;
     }},
    {"stamps",
     [](Format& format) {
         format.clock = Clock::DateTimeDot;
         format.rule = WindowRule::BetweenStamps;
     }},
    {"every_stamp",
     [](Format& format) {
         format.clock = Clock::DateTimeDot;
         format.rule = WindowRule::BetweenStamps;
         format.everyLineStamped = true;
         format.value = {};
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

TEST(ValueList, TakesAnyNumberOfValuesAtOnce) {
    ValueList values;
    std::vector<double> expected;
    for (const std::size_t count : {0U, 1U, 1022U, 1U, 1U, 2048U, 1023U, 1024U, 1025U, 5000U, 3U}) {
        std::vector<double> more(count);
        for (double& value : more) {
            value = static_cast<double>(expected.size() + static_cast<std::size_t>(&value - more.data()));
        }
        values.append(more);
        expected.insert(expected.end(), more.begin(), more.end());
        ASSERT_EQ(values.size(), expected.size());
    }
    values.push_back(-1);
    expected.push_back(-1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(values[i], expected[i]);
    }
}

}  // namespace
}  // namespace dlperf::analysis
