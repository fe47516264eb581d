// SPDX-License-Identifier: Apache-2.0
// What a piece of a log holds as columns, and what it does not. That figures are the same: vectors_test.cpp.
#include "core/analysis/steady_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/analysis/scanned_piece.h"
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
    EXPECT_EQ(piece.run(0).linesBefore, 0U);
    EXPECT_EQ(piece.run(0).line(60).number, 63);
    EXPECT_EQ(piece.run(1).count, 39U);
    EXPECT_EQ(piece.run(1).linesBefore, 1U);
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

// Nothing behind the window is read where a row says so, even in one go.
TEST(SteadyLines, EndWithTheWindowWhereNothingBehindItIsRead) {
    Format format = *findFormat("mxnet-resnet50");
    format.stopsAtEnd = true;
    std::string log = "head\n";
    for (int i = 100; i < 400; ++i) {
        log += fmt::format("INFO:root:Epoch[0] Batch[{}]\tSpeed: 350.25 samples/sec\taccuracy=0.5\n", i);
    }
    const auto scanner = std::make_shared<const LineScanner>(format);
    LineReader reader(scanner, false);
    ScannedPiece piece;
    piece.scan(log, reader);
    LogAnalyzer analyzer(scanner, {{1, 1}, 128}, {20, 30}, Detail::FigureOnly);
    analyzer.feed(piece);
    analyzer.finish();
    EXPECT_TRUE(analyzer.figure().findings.empty());
    EXPECT_EQ(analyzer.figure().value, 350.25);
    EXPECT_EQ(analyzer.figure().lastIteration, 300);
}

}  // namespace
}  // namespace dlperf::analysis
