// SPDX-License-Identifier: Apache-2.0
// A trainer that crashed and resumed from its checkpoint prints steps again; and what looks like that.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

using testing::HasSubstr;

constexpr MeasurementRange range{20, 120};

std::string step(int number, double speed) {
    return fmt::format("step={} speed {}\n", number, speed);
}

// Each `apart` steps.
std::string steps(int first, int last, double speed, int apart = 1) {
    std::string log;
    for (int number = first; number <= last; number += apart) {
        log += step(number, speed);
    }
    return log;
}

AnalyzedBytes analyzeAs(const std::string& row, const std::string& log) {
    const auto rows = formatsFromJson(row, "f.json");
    AnalyzedBytes result;
    LogAnalyzer analyzer(rows.value().front(), {{1, 1}, 8}, range);
    analyzer.feed(log);
    analyzer.finish();
    result.figure = analyzer.figure();
    return result;
}

AnalyzedBytes analyzeSteps(const std::string& log, const std::string& window = "",
                           const std::string& lines = "") {
    return analyzeAs(fmt::format(R"({{"name": "own", "window": {{"warmup": 20, "train": 120{}}},
                         "lines": {{"contain": ["step="]{}}}, "value": {{"after": "speed ", "is": "speed"}},
                         "index": {{"after": "step=", "numbers_lines": true}}, "rule": "mean-of-speeds",
                         "bad_line": "noted", "reads_on": true}})",
                                 window, lines),
                     log);
}

TEST(Resumed, EachStepCountsOnce) {
    const auto run = analyzeSteps(steps(1, 80, 100) + steps(61, 140, 200));
    EXPECT_EQ(run.figure.value, (40 * 100.0 + 60 * 200.0) / 100);
    EXPECT_THAT(run.finding("resumed"), HasSubstr("from step 80 to 61"));
    EXPECT_THAT(run.finding("resumed"), HasSubstr("count once"));
}

TEST(Resumed, LinesMayBeFarApart) {
    const auto run = analyzeSteps(steps(10, 80, 100, 10) + steps(60, 140, 200, 10));
    EXPECT_EQ(run.figure.value, (3 * 100.0 + 7 * 200.0) / 10);
    EXPECT_THAT(run.finding("resumed"), HasSubstr("from step 80 to 60"));
    ASSERT_EQ(run.figure.findings.size(), 1U);
    // Those of before and after need not be of the same steps.
    const auto apart = analyzeSteps(steps(10, 80, 100, 10) + steps(65, 145, 200, 10));
    EXPECT_EQ(apart.figure.value, (6 * 100.0 + 6 * 200.0) / 12);
    EXPECT_THAT(apart.finding("resumed"), HasSubstr("from step 80 to 65"));
}

TEST(Resumed, ATrainerMayCrashSeveralTimes) {
    const auto again = analyzeSteps(steps(1, 80, 100) + steps(61, 75, 150) + steps(71, 140, 200));
    EXPECT_EQ(again.figure.value, (40 * 100.0 + 10 * 150.0 + 50 * 200.0) / 100);
    EXPECT_THAT(again.finding("resumed"), HasSubstr("from step 80 to 61"));
    const auto later = analyzeSteps(steps(1, 80, 100) + steps(61, 110, 150) + steps(91, 140, 200));
    EXPECT_EQ(later.figure.value, (40 * 100.0 + 30 * 150.0 + 30 * 200.0) / 100);
    EXPECT_THAT(later.finding("resumed"), HasSubstr("and 1 more time"));
}

TEST(Resumed, ATrainerMayCrashTwiceBehindTheSameCheckpoint) {
    const auto run = analyzeSteps(steps(1, 80, 100) + steps(61, 90, 150) + steps(61, 140, 200));
    EXPECT_EQ(run.figure.value, (40 * 100.0 + 60 * 200.0) / 100);
    EXPECT_THAT(run.finding("resumed"), HasSubstr("and 1 more time"));
}

TEST(Resumed, ATrainerThatBeganAgainThreeTimesIsOneRank) {
    std::string log;
    for (int i = 0; i < 3; ++i) {
        log += steps(1, 30, 100);
    }
    EXPECT_EQ(analyzeSteps(log + steps(1, 140, 200)).finding("several-ranks"), "");
}

TEST(Resumed, ACheckpointOfLongBeforeLosesNoStep) {
    const auto run = analyzeSteps(steps(1, 80, 100) + steps(31, 140, 200));
    EXPECT_EQ(run.figure.value, (10 * 100.0 + 90 * 200.0) / 100);
    EXPECT_NE(run.finding("resumed"), "");
}

TEST(Resumed, WhatFollowsTheRangeChangesNothing) {
    const std::string log = steps(1, 80, 100) + steps(61, 140, 200);
    const auto once = analyzeSteps(log);
    const auto epochs = analyzeSteps(log + steps(1, 140, 300));
    EXPECT_EQ(epochs.figure.value, once.figure.value);
    EXPECT_EQ(epochs.finding("resumed"), once.finding("resumed"));
    // And what lies before it.
    const auto warmup = analyzeSteps(steps(1, 15, 50) + steps(11, 140, 200));
    EXPECT_EQ(warmup.figure.value, 200.0);
    EXPECT_TRUE(warmup.figure.findings.empty());
    EXPECT_EQ(analyzeSteps(steps(1, 130, 100) + steps(111, 150, 200)).finding("resumed"), "");
}

TEST(Resumed, PassesOfAnOpenRangeAllCount) {
    const std::string open = R"(, "open_end": true)";
    const auto passes = analyzeSteps(steps(1, 130, 100) + steps(1, 130, 200), open);
    EXPECT_EQ(passes.figure.value, 150.0);
    EXPECT_EQ(passes.finding("resumed"), "");
    const auto later = analyzeSteps(steps(1, 130, 100) + steps(21, 140, 200), open);
    EXPECT_EQ(later.figure.value, (110 * 100.0 + 120 * 200.0) / 230);
}

// One of them lags.
TEST(Resumed, RanksThatShareTheLogAllCount) {
    for (const int lag : {1, 2, 10}) {
        std::string log;
        for (int number = 1; number <= 140; ++number) {
            log += step(number, 100);
            log += number > lag ? step(number - lag, 200) : "";
        }
        const int lagging = 99 - lag;  // of its steps until the other one has come to the range's end
        const auto run = analyzeSteps(log);
        EXPECT_DOUBLE_EQ(run.figure.value.value_or(0), (100 * 100.0 + lagging * 200.0) / (100 + lagging));
        EXPECT_EQ(run.finding("resumed"), "") << lag;
        EXPECT_EQ(analyzeSteps(log, "", R"(, "every_rank": true)").finding("resumed"), "") << lag;
    }
}

TEST(Resumed, RanksThatFlushTheirLinesInBlocksAllCount) {
    std::string log;
    for (int block = 0; block < 14; ++block) {
        log += steps(10 * block + 1, 10 * block + 10, 100) + steps(10 * block + 1, 10 * block + 10, 200);
    }
    const auto run = analyzeSteps(log);
    EXPECT_EQ(run.finding("resumed"), "");
    EXPECT_DOUBLE_EQ(run.figure.value.value_or(0), (100 * 100.0 + 90 * 200.0) / 190);
    EXPECT_NE(run.finding("several-ranks"), "");
}

// A log that was rotated begins anywhere.
TEST(Resumed, RanksOfALogWithoutItsHeadAllCount) {
    std::string turns;
    for (int number = 8; number <= 140; ++number) {
        turns += step(number, 100) + step(number + 3, 200);
    }
    const auto lagging = analyzeSteps(turns);
    EXPECT_DOUBLE_EQ(lagging.figure.value.value_or(0), (97 * 100.0 + 100 * 200.0) / 197);
    EXPECT_EQ(lagging.finding("resumed"), "");
    std::string blocks = steps(0, 50, 100) + steps(1, 50, 200);  // one of them prints its first step alone
    for (int first = 51; first <= 140; first += 10) {
        blocks += steps(first, first + 9, 100) + steps(first, first + 9, 200);
    }
    const auto run = analyzeSteps(blocks);
    EXPECT_DOUBLE_EQ(run.figure.value.value_or(0), (100 * 100.0 + 90 * 200.0) / 190);
    EXPECT_EQ(run.finding("resumed"), "");
}

TEST(Resumed, LinesOfSeveralEvaluationsEraseNothing) {
    const auto run = analyzeSteps(steps(1, 60, 100) + step(25, 300) + steps(61, 100, 100) + step(30, 300) +
                                  steps(101, 140, 100));
    EXPECT_EQ(run.figure.value, (100 * 100.0 + 2 * 300) / 102);
    EXPECT_EQ(run.finding("resumed"), "");
}

TEST(Resumed, OfAPassThatDoesNotCountNothingIsSaid) {
    const auto run = analyzeSteps(steps(1, 80, 100) + steps(61, 100, 150) + steps(1, 140, 200));
    EXPECT_EQ(run.figure.value, 200.0);
    EXPECT_EQ(run.finding("resumed"), "");
}

TEST(Resumed, ALineOfEvaluationErasesNothing) {
    for (const int evaluated : {99, 60, 30}) {
        const auto run = analyzeSteps(steps(1, 100, 100) + step(evaluated, 300) + steps(101, 140, 100));
        EXPECT_EQ(run.figure.value, (100 * 100.0 + 300) / 101) << evaluated;
        EXPECT_EQ(run.finding("resumed"), "") << evaluated;
        EXPECT_EQ(run.finding("several-ranks"), "") << evaluated;
    }
}

TEST(Resumed, ATrainerThatBeganAgainIsMeasuredFromThereOn) {
    const auto run = analyzeSteps(steps(1, 80, 100) + steps(1, 140, 200));
    EXPECT_EQ(run.figure.value, 200.0);
    EXPECT_THAT(run.finding("odd-line"), HasSubstr("counts anew"));
    EXPECT_EQ(run.finding("resumed"), "");
    EXPECT_EQ(run.finding("several-ranks"), "");
}

// Which count each line as it comes.
TEST(Resumed, TheFiguresOfDlperfsExtractorsStayAndSaySo) {
    std::string tensorflow;
    for (const int number : {100, 200, 300, 400, 500, 600, 500, 600, 700, 800}) {
        tensorflow += fmt::format(
            "I1103 14:28:53.000001 140 keras_utils.py:145] TimeHistory: 1.00 seconds, 100.00 "
            "examples/second between steps {} and {}\n",
            number - 100, number);
    }
    const auto speeds = analyzeLog("tensorflow2-resnet50", tensorflow, oneDevice, {200, 800});
    EXPECT_EQ(speeds.figure.value, 100.0);
    EXPECT_THAT(speeds.finding("resumed"), HasSubstr("from step 600 to 500"));
    EXPECT_THAT(speeds.finding("resumed"), HasSubstr("count twice"));
}

TEST(Resumed, LatenciesOfTwiceAreSaid) {
    const auto own = [](const std::string& rule, const std::string& log) {
        return analyzeAs(fmt::format(R"({{"name": "own", "unit": "ms", "lines": {{"contain": ["step="]}},
                             "window": {{"warmup": 20, "train": 120}}, "clock": "epoch-seconds",
                             "value": {{"after": "took ", "is": "latency"}},
                             "index": {{"after": "step=", "numbers_lines": true}}, "rule": "{}"}})",
                                     rule),
                         log);
    };
    const auto lines = [](int first, int last) {
        std::string log;
        for (int number = first; number <= last; number += 20) {
            log += fmt::format("step={} took 5 at {}.5\n", number, 1597933942 + number);
        }
        return log;
    };
    const auto mean = own("mean-of-latencies", lines(20, 400) + lines(340, 1200) + lines(20, 400));
    EXPECT_EQ(mean.figure.value, 5.0);
    EXPECT_THAT(mean.finding("resumed"), HasSubstr("from step 400 to 340"));
    EXPECT_THAT(mean.finding("resumed"), HasSubstr("count twice"));
    EXPECT_EQ(own("mean-of-latencies", lines(20, 400) + lines(20, 400)).finding("resumed"), "");
    const auto between = own("latency-between", lines(20, 400) + lines(340, 1200));
    EXPECT_TRUE(between.figure.value);
    EXPECT_THAT(between.finding("resumed"), HasSubstr("the time of the break"));
    EXPECT_EQ(own("latency-between", lines(20, 1200) + lines(1100, 1300)).finding("resumed"), "");
    const auto end = own("latency-between", lines(20, 1200) + lines(1000, 1300));
    EXPECT_THAT(end.finding("resumed"), HasSubstr("the time of the break"));
}

}  // namespace
}  // namespace dlperf::analysis
