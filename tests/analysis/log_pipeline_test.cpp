// SPDX-License-Identifier: Apache-2.0
// One log on several threads.
#include "core/analysis/log_pipeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/line_scanner.h"
#include "core/analysis/line_splitter.h"
#include "core/analysis/scanned_piece.h"
#include "tests/analysis/analyze_log.h"
#include "tests/support/folder.h"

namespace dlperf::analysis {
namespace {

constexpr RunShape shape{{1, 8}, 128};
constexpr int lineCount = 60'000;

// Of some MiB, with a line that is too long across pieces, progress bars and a clock that steps back.
std::string longLog() {
    std::string log;
    for (int i = 0; i < lineCount; ++i) {
        const int second = i == 40'000 ? 0 : i / 10;
        log += fmt::format(
            "DLL 2020-09-15 {:02}:{:02}:{:02}.{}00000 - Epoch: 0 Iteration: {}  train.loss : 6.67351  "
            "train.total_ips : 10393.54 img/s\n",
            second / 3600, second / 60 % 60, second % 60, i % 10, i);
        if (i == 20'000) log += std::string(3 * LineSplitter::maxBytes, 'x') + "\n";
        if (i % 1000 == 0) log += "10 %\r20 %\r\n";
        if (i % 500 == 0) {  // no date, between two of which the later one is earlier
            log += "DLL 2020-13-01 10:00:00.000000 - Epoch: 0 Iteration: 7  train.loss : 6.7\n";
        }
    }
    return log;
}

RunFigure figureOn(const std::filesystem::path& file, std::size_t threads) {
    const auto scanner = std::make_shared<const LineScanner>(*findFormat("ngc-pytorch-resnet50"));
    LogAnalyzer analyzer(scanner, shape, {20, lineCount - 10}, Detail::FigureOnly);
    EXPECT_TRUE(feedFile(file, analyzer, scanner, threads, {}));
    analyzer.finish();
    return analyzer.figure();
}

TEST(LogPipeline, GivesTheSameOnAnyNumberOfThreads) {
    const test::Folder folder;
    folder.write("a.log", longLog());
    LogAnalyzer analyzer(*findFormat("ngc-pytorch-resnet50"), shape, {20, lineCount - 10});
    analyzer.feed(longLog());
    analyzer.finish();
    const RunFigure alone = analyzer.figure();
    ASSERT_TRUE(alone.value) << alone.findings.front().what;
    ASSERT_EQ(alone.findings.size(), 2U);
    EXPECT_EQ(alone.findings.front().kind, "line-cut");
    EXPECT_EQ(alone.findings.back().kind, "clock-steps-back-within");
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
        const RunFigure shared = figureOn(folder.path() / "a.log", threads);
        EXPECT_EQ(shared.value, alone.value);
        EXPECT_EQ(shared.lastIteration, alone.lastIteration);
        ASSERT_EQ(shared.findings.size(), alone.findings.size());
        for (std::size_t i = 0; i < alone.findings.size(); ++i) {
            EXPECT_EQ(shared.findings[i].what, alone.findings[i].what);
            EXPECT_EQ(shared.findings[i].where, alone.findings[i].where);
        }
    }
}

// Lines of few bytes that all matter are many in one piece: no more of them are held than memory is meant
// for.
TEST(LogPipeline, AFloodOfShortHeaderLinesIsReadToTheEnd) {
    const test::Folder folder;
    std::string log = "iteration 1 epoch 0 loss 7.0 time 1.0 s\n";
    for (int i = 0; i < 800'000; ++i) {
        log += "# : \n";
    }
    log += "# batch_size: 4\niteration 2 epoch 0 loss 7.0 time 1.0 s";
    folder.write("a.log", log);
    const auto scanner = std::make_shared<const LineScanner>(*findFormat("dlperf-worker"));
    LineReader reader(scanner, false);
    ScannedPiece piece;
    piece.scan(std::string_view(log).substr(0, 128U << 10U), reader);
    EXPECT_LT(piece.lines().size(), 20'000U);
    EXPECT_GT(piece.tail().size(), 1000U);
    LogAnalyzer analyzer(scanner, shape, {1, 2}, Detail::FigureOnly);
    ASSERT_TRUE(feedFile(folder.path() / "a.log", analyzer, scanner, 2, {}));
    analyzer.finish();
    EXPECT_EQ(analyzer.figure().lastIteration, 2);
    EXPECT_EQ(analyzer.figure().header.at("batch_size"), "4");
}

TEST(LogPipeline, EndsWhenItIsStopped) {
    const test::Folder folder;
    folder.write("a.log", longLog());
    const auto scanner = std::make_shared<const LineScanner>(*findFormat("ngc-pytorch-resnet50"));
    LogAnalyzer analyzer(scanner, shape, {20, lineCount - 10}, Detail::FigureOnly);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(feedFile(folder.path() / "a.log", analyzer, scanner, 2, stop.get_token()));
    EXPECT_EQ(analyzer.figure().lastIteration, 0);
}

TEST(LogPipeline, TellsWhatCannotBeRead) {
    const test::Folder folder;
    const auto scanner = std::make_shared<const LineScanner>(*findFormat("ngc-pytorch-resnet50"));
    LogAnalyzer analyzer(scanner, shape, {20, 120}, Detail::FigureOnly);
    const auto missing = feedFile(folder.path() / "a.log", analyzer, scanner, 2, {});
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().what.find("cannot be opened"), std::string::npos);
    const auto noFile = feedFile(folder.path(), analyzer, scanner, 2, {});
    ASSERT_FALSE(noFile);
    EXPECT_NE(noFile.error().what.find("cannot be read to its end"), std::string::npos);
}

}  // namespace
}  // namespace dlperf::analysis
