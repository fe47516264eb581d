// SPDX-License-Identifier: Apache-2.0
#include "core/report/loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/report/busy_processors.h"
#include "tests/report/loss_series.h"

namespace dlperf::report {
namespace {

using analysis::RankTimes;
using test::find;
using test::has;
using test::LossSeries;
using test::shareOf;
using test::sumOf;
using ::testing::HasSubstr;

constexpr Topology oneDevice{1, 1};
constexpr Topology twoDevices{2, 1};

TEST(Loss, IsSplitByTheTimesOfTheRanks) {
    LossSeries series;
    series.add(oneDevice, {{0.8, 0.2, 0}}, 0);
    // Alone 1 s; together 2 s: 0.5 s of exchange, 0.1 s of waiting in turns, 0.1 s of data, 0.3 s of
    // computing.
    series.add(twoDevices, {{1.1, 0.3, 0.6}, {1.1, 0.2, 0.7}}, 0.5);
    const Loss loss = series.loss();
    EXPECT_NEAR(loss.reached, 0.5, 1e-12);
    EXPECT_NEAR(loss.seconds, 2, 1e-12);
    EXPECT_NEAR(shareOf(loss, Cause::Communication), 0.25, 1e-12);
    EXPECT_NEAR(shareOf(loss, Cause::Jitter), 0.05, 1e-12);
    EXPECT_NEAR(shareOf(loss, Cause::DataLoading), 0.05, 1e-12);
    EXPECT_NEAR(shareOf(loss, Cause::Computation), 0.15, 1e-12);
    EXPECT_NEAR(sumOf(loss), loss.lost(), 1e-12);
    EXPECT_EQ(find(loss, Cause::SlowRank), nullptr);
    EXPECT_THAT(find(loss, Cause::Communication)->words, HasSubstr("500.0\u00A0ms"));
    EXPECT_FALSE(find(loss, Cause::Communication)->range) << "of one run nobody knows how it would repeat";
}

TEST(Loss, BusyProcessorsAreEvidenceForDataAndComputing) {
    LossSeries series;
    series.add(oneDevice, {{0.8, 0.2, 0}}, 0);
    series.add(twoDevices, {{1.1, 0.3, 0.6}, {1.1, 0.2, 0.7}}, 0.5, {"n1", "n2"});
    using Uses = std::vector<std::optional<double>>;
    const auto words = [&](const Uses& uses, Cause cause, bool inRange = true) {
        series.last().noise.clear();
        for (std::size_t i = 0; i < uses.size(); ++i) {
            series.last().noise.push_back(
                {.node = "n" + std::to_string(i + 1), .inRange = inRange, .cpuUse = uses[i]});
        }
        const Loss loss = series.loss();
        return find(loss, cause)->words;
    };
    EXPECT_THAT(words({0.97, 0.5}, Cause::Computation),
                HasSubstr("slower than one alone; the processors of n1 were busy 97.0\u00A0% of the time"));
    EXPECT_THAT(words({0.97, 0.91}, Cause::Computation),
                HasSubstr("the processors of n1, n2 were busy 91.0\u00A0% of the time or more"));
    EXPECT_THAT(words({0.97, 0.91}, Cause::DataLoading), HasSubstr("the processors of n1 were busy"));
    const Loss first = series.loss();
    EXPECT_EQ(find(first, Cause::DataLoading)->where, "n1") << "the node that is late for its data";
    const auto isSilent = testing::Not(HasSubstr("processors"));
    EXPECT_THAT(words({0.97, 0.91}, Cause::Communication), isSilent);
    EXPECT_THAT(words({0.89, {}}, Cause::Computation), isSilent);
    EXPECT_THAT(words({0.97, 0.97}, Cause::Computation, false), isSilent) << "of the start as well";
    series.add(twoDevices, {{1.1, 0.3, 0.6}, {1.1, 0.2, 0.7}}, 0.5, {"n1", "n2"});
    const Loss both = series.loss();
    EXPECT_THAT(find(both, Cause::Computation)->words, isSilent) << "the other run does not tell";
}

TEST(Loss, BusyProcessorsOfThisMachineAreCalledThat) {
    LossSeries series;
    series.add(oneDevice, {{0.8, 0.2, 0}}, 0);
    series.add(twoDevices, {{1.1, 0.3, 0.6}, {1.1, 0.2, 0.7}}, 0.5, {"this", "n2"});
    series.last().noise = {{.node = "this", .inRange = true, .cpuUse = 0.9996},
                           {.node = "n2", .inRange = true, .cpuUse = 0.5}};
    const Loss loss = series.loss();
    EXPECT_THAT(find(loss, Cause::Computation)->words,
                HasSubstr("the processors of this machine were busy all of the time"));
    EXPECT_THAT(find(loss, Cause::DataLoading)->words, HasSubstr("the processors of this machine"));
    EXPECT_EQ(find(loss, Cause::DataLoading)->where, "this machine");
}

TEST(Loss, SaysThatNodesAreOneMachineAndHaveMoreThreadsThanCores) {
    LossSeries series;
    series.addFigure(oneDevice, 10);
    series.addFigure(twoDevices, 11);
    series.addFigure(twoDevices, 11);
    series.last().findings = {
        {"one-machine", "nodes a, b are one machine", ""},
        {"more-threads-than-cores", "8 threads compute on the 4 cores of nodes a, b", ""}};
    EXPECT_THAT(
        series.loss().remarks,
        testing::ElementsAre(testing::StartsWith("nodes a, b are one machine. They share its "),
                             testing::StartsWith("8 threads compute on the 4 cores of nodes a, b. ")));
}

TEST(Loss, ProcessorsIdleWhereTheTelemetryOfAllNodesSaysSo) {
    LossSeries series;
    series.add(twoDevices, {{1.1, 0.3, 0.6}, {1.1, 0.2, 0.7}}, 0.5, {"n1", "n2"});
    const auto idle = [&](std::optional<double> use, bool inRange = true) {
        series.last().noise = {{.node = "n1", .inRange = true, .cpuUse = 0.5},
                               {.node = "n2", .inRange = inRange, .cpuUse = use}};
        return haveIdleProcessors({&series.last()});
    };
    EXPECT_TRUE(idle(0.6));
    EXPECT_FALSE(idle(0.95));
    EXPECT_FALSE(idle({}));
    EXPECT_FALSE(idle(0.6, false)) << "of the start as well";
    series.last().noise.pop_back();
    EXPECT_FALSE(haveIdleProcessors({&series.last()}));
    EXPECT_FALSE(haveIdleProcessors({}));
}

TEST(Loss, NamesANodeThatComputesSlower) {
    LossSeries series;
    series.add(oneDevice, {{1, 0, 0}}, 0);
    for (const double wobble : {0.00, 0.01, 0.02, 0.03, 0.04, 0.05}) {
        series.add(
            {2, 2},
            {{1 + wobble, 0, 0.6}, {1, 0, 0.6 + wobble}, {1.5, 0, 0.1 + wobble}, {1.5 + wobble, 0, 0.1}}, 0.1,
            {"n1", "n2"});
    }
    const Loss loss = series.loss();
    const LossPart* slow = find(loss, Cause::SlowRank);
    ASSERT_NE(slow, nullptr);
    EXPECT_EQ(slow->where, "n2");
    EXPECT_NEAR(slow->share, 0.5 / 1.6, 0.02);
    EXPECT_THAT(slow->words, HasSubstr("(p = 0.0"));
    EXPECT_TRUE(slow->range);
}

TEST(Loss, NamesARankWhereItsNodeIsNotSlow) {
    LossSeries series;
    series.add(oneDevice, {{1, 0, 0}}, 0);
    series.add({2, 2}, {{1, 0, 0.6}, {1, 0, 0.6}, {1.5, 0, 0.1}, {1, 0, 0.6}}, 0.1, {"n1", "n2"});
    const Loss loss = series.loss();
    ASSERT_NE(find(loss, Cause::SlowRank), nullptr);
    EXPECT_EQ(find(loss, Cause::SlowRank)->where, "rank 2 (n2)");
}

TEST(Loss, NoRankIsSlowByChance) {
    LossSeries series;
    series.add(oneDevice, {{1, 0, 0}}, 0);
    // Which one is slower changes from run to run.
    for (const bool first : {true, false, true, false, true}) {
        const double slow = 1.05;
        series.add(twoDevices, {{first ? slow : 1, 0, 0.2}, {first ? 1 : slow, 0, 0.2}}, 0.1, {"n1", "n2"});
    }
    EXPECT_FALSE(has(series.loss(), Cause::SlowRank));
    LossSeries few;  // always the same one, but by little, and only twice
    few.add(oneDevice, {{1, 0, 0}}, 0);
    few.add(twoDevices, {{1, 0, 0.25}, {1.05, 0, 0.2}}, 0.1);
    few.add(twoDevices, {{1, 0, 0.25}, {1.05, 0, 0.2}}, 0.1);
    EXPECT_FALSE(has(few.loss(), Cause::SlowRank));
    EXPECT_NEAR(shareOf(few.loss(), Cause::Computation), 0.05 / 1.25, 1e-12);
}

// The slowest of many ranks is always somewhat slower: its p is that of all tries together.
TEST(Loss, TheSlowestOfManyIsNotSlowForThat) {
    LossSeries series;
    series.add(oneDevice, {{1, 0, 0}}, 0);
    for (int run = 0; run < 7; ++run) {
        std::vector<RankTimes> ranks(16, RankTimes{1, 0, 0.2});
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            ranks[rank].compute +=
                0.03 * static_cast<double>((rank * 7 + static_cast<std::size_t>(run) * 5) % 16) / 16;
        }
        ranks[3].compute += run < 5 ? 0.02 : 0;
        series.add({2, 8}, ranks, 0.1, {"n1", "n2"});
    }
    EXPECT_FALSE(has(series.loss(), Cause::SlowRank));
}

TEST(Loss, OfOtherNodesInEachRunNoneIsBlamed) {
    LossSeries series;
    series.add(oneDevice, {{1, 0, 0}}, 0);
    for (const char* node : {"n2", "n3", "n4"}) {
        series.add(twoDevices, {{1, 0, 0.6}, {1.5, 0.2, 0.1}}, 0.1, {"n1", node});
    }
    const Loss loss = series.loss();
    EXPECT_EQ(find(loss, Cause::SlowRank), nullptr);
    EXPECT_EQ(find(loss, Cause::DataLoading)->where, "");
}

TEST(Loss, NamesTheNodeThatWaitsForItsData) {
    LossSeries series;
    series.add(oneDevice, {{1, 0.1, 0}}, 0);
    series.add(twoDevices, {{1, 0.1, 0.5}, {1, 0.5, 0.1}}, 0.1, {"n1", "n2"});
    const Loss loss = series.loss();
    EXPECT_NEAR(shareOf(loss, Cause::DataLoading), 0.4 / 1.6, 1e-12);
    EXPECT_EQ(find(loss, Cause::DataLoading)->where, "n2");
}

TEST(Loss, WithoutTimesOfRanksIsUnknownButForTheLogsOwnColumn) {
    LossSeries series;
    series.addFigure(oneDevice, 10, {.data = 0.1});
    series.addFigure(twoDevices, 16, {.data = 0.2});  // 1.25 s an iteration
    const Loss loss = series.loss();
    EXPECT_NEAR(shareOf(loss, Cause::DataLoading), 0.1 / 1.25, 1e-12);
    EXPECT_NEAR(shareOf(loss, Cause::Unknown), 0.2 - 0.1 / 1.25, 1e-12);
    EXPECT_EQ(loss.parts.size(), 2U) << "nothing is spread over causes that no log tells of";
    EXPECT_FALSE(find(loss, Cause::DataLoading)->range);
    series.addFigure(twoDevices, 16, {.data = 0.3});
    const Loss repeated = series.loss();
    ASSERT_TRUE(find(repeated, Cause::DataLoading)->range);
    EXPECT_NEAR(find(repeated, Cause::DataLoading)->range->low, 0.1 / 1.25, 1e-12);
    EXPECT_NEAR(find(repeated, Cause::DataLoading)->range->high, 0.2 / 1.25, 1e-12);

    LossSeries silent;
    silent.addFigure(oneDevice, 10);
    silent.addFigure(twoDevices, 16);
    EXPECT_EQ(silent.loss().parts.size(), 1U);
    EXPECT_NEAR(shareOf(silent.loss(), Cause::Unknown), 0.2, 1e-12);
}

TEST(Loss, WhatRepetitionsDifferByIsNoise) {
    LossSeries series;
    for (const double figure : {9.0, 10.0, 11.0}) {
        series.addFigure(oneDevice, figure);
        series.addFigure(twoDevices, 2 * figure - 0.2);
    }
    const Loss loss = series.loss();
    ASSERT_TRUE(loss.reachedRange);
    EXPECT_LT(loss.reachedRange->low, loss.reached);
    EXPECT_NEAR(shareOf(loss, Cause::Noise), loss.lost(), 1e-12);
    EXPECT_NEAR(shareOf(loss, Cause::Unknown), 0, 1e-12);
}

// The column of one rank may tell more than all of them lose.
TEST(Loss, WhatIsExplainedBeyondItIsSaidInWords) {
    LossSeries series;
    series.addFigure(oneDevice, 10, {.data = 0.1});
    series.addFigure(twoDevices, 16, {.data = 0.4});  // 1.25 s an iteration
    const std::vector<Loss> losses = series.losses();
    const Loss& loss = losses.front();
    const LossPart* beyond = find(loss, Cause::Unknown);
    ASSERT_NE(beyond, nullptr);
    EXPECT_NEAR(beyond->share, 0.2 - 0.3 / 1.25, 1e-12);
    EXPECT_NEAR(sumOf(loss), loss.lost(), 1e-12);
    EXPECT_EQ(shareText(loss, *beyond), "4.0\u00A0% more explained than lost");
    EXPECT_THAT(beyond->words, HasSubstr("add up to more than is lost"));
    LossPart none = *beyond;
    none.share = 0.04;
    EXPECT_EQ(shareText(loss, none), "4.0\u00A0% unknown");
}

TEST(Loss, APartBelowZeroHasItsColumn) {
    Loss loss{.topology = {1, 2}, .reached = 0.9};
    loss.parts = {{.cause = Cause::Communication, .share = 0.265},
                  {.cause = Cause::Computation, .share = -0.165}};
    const Table table = lossTable({loss});
    ASSERT_EQ(table.columns.size(), 5U);
    EXPECT_EQ(table.columns[4].title, titleOf(Cause::Computation));
    EXPECT_EQ(table.rows[0][4].number, -0.165);
    EXPECT_EQ(lossChart({loss}).series.size(), 2U) << "a bar has no room for it";
}

TEST(Loss, IsToldInTheUnitOfTheFiguresAsWell) {
    LossSeries series;
    series.addFigure(oneDevice, 1'000, {.data = 0.001});
    series.addFigure(twoDevices, 1'600, {.data = 0.002});  // 12.5 ms an iteration
    const std::vector<Loss> losses = series.losses();
    const Loss& loss = losses.front();
    EXPECT_DOUBLE_EQ(loss.ideal, 2'000);
    EXPECT_EQ(lossHeading(loss, LossUnit::Throughput),
              "400 images/s of the ideal are lost, by 1 run and 1 on 1n1g");
    EXPECT_EQ(shareText(loss, loss.parts.front(), LossUnit::Throughput), "160 images/s data loading");
    const Translation& chinese = Translation::to("zh_CN");
    EXPECT_TRUE(
        shareText(loss, loss.parts.front(), LossUnit::Throughput, chinese).starts_with("160 图片/秒 "));
    EXPECT_NE(chinese(lossHeading(loss, LossUnit::Throughput, chinese)).find("理想值的 400 图片/秒"),
              std::string::npos);
    const ChartSpec chart = lossChart(losses, LossUnit::Throughput);
    EXPECT_EQ(chart.unit, "images/s");
    EXPECT_EQ(chart.y.numbers, NumberStyle::Plain);
    EXPECT_DOUBLE_EQ(chart.y.highest.value_or(0), 2'000);
    EXPECT_DOUBLE_EQ(chart.series.at(0).points.at(0).y, 1'000) << "one device alone";
    EXPECT_EQ(chart.series.at(0).points.at(1).label, "1,600");
    double sum = 0;
    for (const Series& part : chart.series) {
        EXPECT_EQ(part.title,
                  lossChart(losses).series.at(static_cast<std::size_t>(&part - chart.series.data())).title);
        sum += part.points.back().y;
    }
    EXPECT_NEAR(sum, 2'000, 1e-9);
    EXPECT_NE(chart.series.at(1).points.back().tip.find("data loading: 160 images/s"), std::string::npos);
    const Json json = toJson(loss);
    EXPECT_DOUBLE_EQ(json["ideal"].get<double>(), 2'000);
    EXPECT_EQ(json["unit"], "images/s");
    EXPECT_NEAR(json["parts"][0]["throughput"].get<double>(), 160, 1e-9);

    LossSeries slow;  // on processors
    slow.addFigure(oneDevice, 1);
    slow.addFigure(twoDevices, 1.5);
    Loss ranged = slow.losses().front();
    ranged.reachedRange = {0.5, 0.8};
    EXPECT_EQ(lossHeading(ranged, LossUnit::Throughput),
              "0.50 images/s of the ideal are lost (0.40 to 1.00), by 1 run and 1 on 1n1g");
}

// A source quotes medians beside their runs, and others quote both again.
TEST(Loss, CountsPublishedRunsOnce) {
    LossSeries runs;
    const auto add = [&runs](const Topology& topology, int repetition, double throughput) {
        runs.addFigure(topology, throughput);
        runs.last().origin = Origin::Published;
        runs.last().repetition = repetition;
    };
    for (const double scale : {1.0, 15.0}) {
        const Topology topology = scale > 1 ? Topology{2, 8} : Topology{1, 1};
        for (int source = 0; source < 2; ++source) {
            add(topology, 0, 102 * scale);
            for (int repetition = 1; repetition <= 5; ++repetition) {
                add(topology, repetition, (99 + repetition) * scale);
            }
        }
    }
    const Loss loss = runs.loss();
    EXPECT_EQ(loss.runs, 5);
    EXPECT_EQ(loss.baseRuns, 5);
}

TEST(Loss, CountsOnlyRunsWithAFigure) {
    LossSeries series;
    series.add(oneDevice, {{1, 0, 0}}, 0);
    series.add(twoDevices, {{1, 0, 0.25}, {1, 0, 0.25}}, 0.25);
    series.addFigure(twoDevices, 1);
    series.last().excluded = true;
    series.addFigure(twoDevices, 1);
    series.last().outcome = Outcome::Short;
    EXPECT_EQ(series.loss().runs, 1);
    LossSeries without;
    without.addFigure(twoDevices, 16);
    EXPECT_TRUE(without.losses().empty()) << "nothing is known of one device alone";
    LossSeries latency;
    latency.addFigure(oneDevice, 10);
    latency.last().unit = "ms";
    EXPECT_TRUE(latency.losses().empty());
}

}  // namespace
}  // namespace dlperf::report
