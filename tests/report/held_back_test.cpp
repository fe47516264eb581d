// SPDX-License-Identifier: Apache-2.0
// Slow repetitions and what their records tell of the reason, in words for people.
#include <gtest/gtest.h>

#include "core/base/translation.h"
#include "core/report/held_back.h"
#include "core/report/loss.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::vocabulary;

NodeNoise noiseOf(double others, const std::string& busiest = {}) {
    NodeNoise noise{.node = "node3", .inRange = true, .processors = 2};
    noise.others = others;
    noise.busiest = busiest;
    return noise;
}

std::vector<RunResult> runsOf(const std::vector<std::pair<double, NodeNoise>>& figures) {
    std::vector<RunResult> runs;
    for (const auto& [figure, noise] : figures) {
        runs.push_back(ownRun({1, 1}, static_cast<int>(runs.size()) + 1, figure));
        runs.back().noise = {noise};
    }
    return runs;
}

std::string heldBack(const std::vector<RunResult>& runs) {
    const Comparison comparison = compare(runs, vocabulary());
    for (const CellFinding& finding : comparison.series.at(0).cells.at(0).findings) {
        if (finding.kind == FindingKind::HeldBack) {
            return finding.howMuch;
        }
    }
    return {};
}

TEST(HeldBack, NamesWhatTheSlowRunsHadAndTheOthersHadNot) {
    const auto runs = runsOf({{100, noiseOf(0.1)},
                              {60, noiseOf(1.8, "stress-ng")},
                              {101, noiseOf(0.2)},
                              {99, noiseOf(0.1)},
                              {62, noiseOf(1.2, "stress-ng")}});
    EXPECT_EQ(heldBack(runs),
              "on node3 other processes, above all stress-ng, took 1.8 of 2 cores (repetitions 2, 5)");
}

TEST(HeldBack, NamesTheOneOutlier) {
    auto runs = runsOf({{100, noiseOf(0.1)},
                        {100.5, noiseOf(0.1)},
                        {99.8, noiseOf(0.1)},
                        {70, noiseOf(0.1)},
                        {100.2, noiseOf(0.1)},
                        {100.1, noiseOf(0.1)}});
    for (RunResult& run : runs) {
        run.noise[0].gpus = {{.index = 3, .powerCap = run.repetition == 4 ? 0.64 : 0.03}};
    }
    EXPECT_EQ(heldBack(runs),
              "GPU 3 of node3 was held back by its power cap in 64 % of the time (repetition 4)");
}

TEST(HeldBack, NamesNothingThatTheOthersHadAsWell) {
    EXPECT_EQ(heldBack(runsOf({{100, noiseOf(1.5)}, {60, noiseOf(1.8)}})), "");
    EXPECT_EQ(heldBack(runsOf({{100, noiseOf(1.8)}, {60, noiseOf(0.1)}})), "") << "the fast one had it";
    EXPECT_EQ(heldBack(runsOf({{100, noiseOf(0)}, {60, noiseOf(0.06)}})), "") << "that is nothing";
    EXPECT_EQ(heldBack(runsOf({{100, noiseOf(0.1)}, {100.1, noiseOf(1.8)}})), "") << "they agree";
}

TEST(HeldBack, NamesNothingWhereNothingWasRecorded) {
    auto runs = runsOf({{100, noiseOf(0.1)}, {60, noiseOf(1.8)}, {99, noiseOf(0.1)}});
    runs[0].noise.clear();
    runs[2].noise.clear();
    EXPECT_EQ(heldBack(runs), "") << "nothing to hold it against";
    runs[1].noise.clear();
    EXPECT_EQ(heldBack(runs), "");
}

TEST(HeldBack, NamesClocksThatWereLower) {
    auto runs = runsOf({{100, noiseOf(0)}, {80, noiseOf(0)}, {100, noiseOf(0)}});
    for (RunResult& run : runs) {
        run.noise[0].gpuClock = run.repetition == 2 ? 1200 : 1410;
        run.noise[0].clock = run.repetition == 2 ? 2350 : 2400;
    }
    EXPECT_EQ(heldBack(runs),
              "the GPUs of node3 ran at 1,200 MHz, in the others at 1,410 MHz or more (repetition 2)");
}

TEST(HeldBack, TakesTheLongerTimesForTheSlowOnes) {
    auto runs = runsOf({{10, noiseOf(0.1)}, {16, noiseOf(1.8)}, {10.1, noiseOf(0.1)}});
    for (RunResult& run : runs) {
        run.unit = "ms";
    }
    EXPECT_EQ(heldBack(runs), "on node3 other processes took 1.8 of 2 cores (repetition 2)");
}

TEST(HeldBack, IsToldWithTheNoiseOfALoss) {
    auto runs = runsOf({{100, noiseOf(0.1)}, {60, noiseOf(1.8)}, {101, noiseOf(0.1)}});
    for (RunResult& run : runs) {
        run.benchmarkCase.topology = {1, 2};
    }
    std::vector<RunResult> all{ownRun({1, 1}, 1, 50), ownRun({1, 1}, 2, 52)};
    all.insert(all.end(), runs.begin(), runs.end());
    std::vector<TimedRun> timed;
    for (const RunResult& run : all) {
        timed.push_back({&run, {}});
    }
    const auto losses = lossesOf(timed);
    std::string words;
    for (const LossPart& part : losses.at(0).parts) {
        words += part.cause == Cause::Noise ? part.words : "";
    }
    EXPECT_EQ(
        words,
        "Within what the repetitions differ; on node3 other processes took 1.8 of 2 cores (repetition 2)");
}

TEST(HeldBack, IsToldInChinese) {
    const Translation& chinese = Translation::to("zh_CN");
    EXPECT_EQ(
        chinese(findingText({{FindingKind::HeldBack,
                              "on node3 other processes, above all stress-ng, took 1.8 of 2 cores "
                              "(repetitions 2, 5)"}},
                            true)),
        "较慢的重复受到拖累：node3 上的其他进程（主要是 stress-ng）占用了 2 个核心中的 1.8 个（重复 2, 5）。"
        "其余各次没有这种情况：请注明原因将这些重复排除，或重新运行。");
    EXPECT_EQ(
        chinese("Within what the repetitions differ; GPU 3 of node3 was held back by heat in 64 % of the "
                "time (repetition 4)"),
        "在各次重复的差异范围内；node3 的 GPU 3 有 64 % 的时间受限于过热（重复 4）");
    EXPECT_EQ(
        chinese("repetition 2: on node3 other processes took 1.8 of 2 cores; likewise at 2 other places"),
        "重复 2：node3 上的其他进程占用了 2 个核心中的 1.8 个；另有 2 处亦然");
}

}  // namespace
}  // namespace dlperf::report
