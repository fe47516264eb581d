// SPDX-License-Identifier: Apache-2.0
// A log file to its figure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/line_reader.h"
#include "core/analysis/log_folder.h"
#include "tests/analysis/analyze_log.h"
#include "tests/support/folder.h"

namespace dlperf::analysis {
namespace {

constexpr RunShape eightDevices{{1, 8}, 128};
constexpr int lineCount = 60'000;

// Of some MiB, with a line that is too long, progress bars and a clock that steps back.
std::string longLog() {
    std::string log;
    for (int i = 0; i < lineCount; ++i) {
        const int second = i == 40'000 ? 0 : i / 10;
        log += fmt::format(
            "DLL 2020-09-15 {:02}:{:02}:{:02}.{}00000 - Epoch: 0 Iteration: {}  train.loss : 6.67351  "
            "train.total_ips : 10393.54 img/s\n",
            second / 3600, second / 60 % 60, second % 60, i % 10, i);
        if (i == 20'000) {
            log += std::string(3 * LineSplitter::maxBytes, 'x') + "\n";
        }
        if (i % 1000 == 0) {
            log += "10 %\r20 %\r\n";
        }
        if (i % 500 == 0) {  // no date, between two of which the later one is earlier
            log += "DLL 2020-13-01 10:00:00.000000 - Epoch: 0 Iteration: 7  train.loss : 6.7\n";
        }
    }
    return log;
}

LogAnalyzer analyzerOf(const char* format, const MeasurementRange& window) {
    return {*findFormat(format), eightDevices, window};
}

TEST(LogFile, GivesTheFigureOfItsBytes) {
    const test::Folder folder;
    folder.write("a.log", longLog());
    LogAnalyzer analyzer(*findFormat("ngc-pytorch-resnet50"), eightDevices, {20, lineCount - 10},
                         ignoreIteration);
    analyzer.feed(longLog());
    analyzer.finish();
    const RunFigure bytes = analyzer.figure();
    ASSERT_TRUE(bytes.value) << bytes.findings.front().what;
    ASSERT_EQ(bytes.findings.size(), 2U);
    EXPECT_EQ(bytes.findings.front().kind, "line-cut");
    EXPECT_EQ(bytes.findings.back().kind, "clock-steps-back-within");
    LogAnalyzer reader = analyzerOf("ngc-pytorch-resnet50", {20, lineCount - 10});
    std::size_t fed = 0;
    ASSERT_TRUE(feedFile(folder.path() / "a.log", reader, {}, [&](std::size_t more) { fed += more; }));
    reader.finish();
    EXPECT_EQ(fed, longLog().size());
    EXPECT_EQ(reader.figure().value, bytes.value);
    EXPECT_EQ(reader.figure().lastIteration, bytes.lastIteration);
    EXPECT_EQ(reader.figure().findings, bytes.findings);
}

TEST(LogFile, WithAFloodOfShortHeaderLinesIsReadToTheEnd) {
    const test::Folder folder;
    std::string log = "iteration 1 epoch 0 loss 7.0 time 1.0 s\n";
    for (int i = 0; i < 800'000; ++i) {
        log += "# : \n";
    }
    log += "# batch_size: 4\niteration 2 epoch 0 loss 7.0 time 1.0 s";
    folder.write("a.log", log);
    LogAnalyzer analyzer = analyzerOf("dlperf-worker", {1, 2});
    ASSERT_TRUE(feedFile(folder.path() / "a.log", analyzer, {}));
    analyzer.finish();
    EXPECT_EQ(analyzer.figure().lastIteration, 2);
    EXPECT_EQ(analyzer.figure().header.at("batch_size"), "4");
}

TEST(LogFile, IsNotReadToTheEndWhenStopped) {
    const test::Folder folder;
    folder.write("a.log", longLog());
    LogAnalyzer analyzer = analyzerOf("ngc-pytorch-resnet50", {20, lineCount - 10});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(feedFile(folder.path() / "a.log", analyzer, stop.get_token()));
    EXPECT_LT(analyzer.figure().lastIteration, 10'000);
}

TEST(LogFile, TellsWhatCannotBeRead) {
    const test::Folder folder;
    LogAnalyzer analyzer = analyzerOf("ngc-pytorch-resnet50", {20, 120});
    const auto missing = feedFile(folder.path() / "a.log", analyzer, {});
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().what.find("cannot be opened"), std::string::npos);
    const auto noFile = feedFile(folder.path(), analyzer, {});
    ASSERT_FALSE(noFile);
    EXPECT_NE(noFile.error().what.find("cannot be read to its end"), std::string::npos);
}

}  // namespace
}  // namespace dlperf::analysis
