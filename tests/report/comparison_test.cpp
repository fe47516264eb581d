// SPDX-License-Identifier: Apache-2.0
// Series, cells, titles and warnings of one's own runs.
#include "core/report/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/report/cancelled_cases.h"
#include "core/report/report.h"
#include "core/report/result_filter.h"
#include "core/report/series_title.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::quotedRun;
using test::seriesOf;
using test::vocabulary;
using test::warns;

TEST(Compare, NothingGivesNothing) {
    const Comparison comparison = compare({}, vocabulary());
    EXPECT_TRUE(comparison.series.empty());
    EXPECT_TRUE(comparison.warnings.empty());
    EXPECT_TRUE(comparison.title.empty());
}

TEST(Compare, FoldsRepetitionsInTheirOrder) {
    const Comparison comparison =
        compare({ownRun({1, 2}, 2, 20.5), ownRun({1, 1}, 3, 12.0), ownRun({1, 1}, 1, 10.0),
                 ownRun({1, 1}, 2, 11.0), ownRun({1, 2}, 1, 21.5)},
                vocabulary());
    ASSERT_EQ(comparison.series.size(), 1U);
    const ComparedSeries& series = comparison.series[0];
    EXPECT_EQ(series.title, "dlperf-worker");
    EXPECT_EQ(series.cells[0].repetitions, (std::vector{10.0, 11.0, 12.0}));
    EXPECT_EQ(series.cells[0].fold.median, 11.0);
    EXPECT_EQ(series.cells[0].fold.minimum, 10.0);
    EXPECT_EQ(series.cells[0].speedup, 1.0);
    EXPECT_EQ(series.cells[1].fold.median, 21.0);
    EXPECT_EQ(series.cells[1].speedup, 1.91);
    EXPECT_EQ(series.cells[1].efficiency, 21.0 / 11.0 / 2);
}

TEST(Compare, RunsOfOneFigureThatWereMadeOfOtherThingsAreMarked) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 10.0), ownRun({1, 1}, 2, 10.1), ownRun({1, 1}, 3, 10.1),
                                ownRun({1, 2}, 1, 20.0)};
    runs[0].versions = {{"torch", "2.1.0"}, {"driver", "535"}};
    runs[1].versions = {{"torch", "2.2.0"}, {"driver", "535"}};
    const std::string mix = "torch 2.1.0 (1 run), 2.2.0 (1 run)";
    Comparison comparison = compare(runs, vocabulary());
    EXPECT_EQ(findingText(comparison.series[0].cells[0].findings, false), "Versions differ: " + mix);
    EXPECT_TRUE(comparison.series[0].cells[1].findings.empty());
    EXPECT_TRUE(warns(comparison.warnings, "dlperf-worker was measured with different versions: " + mix));
    runs[0].excluded = true;  // then nothing that differs is folded
    comparison = compare(runs, vocabulary());
    EXPECT_TRUE(comparison.series[0].cells[0].findings.empty());
    EXPECT_TRUE(comparison.warnings.empty());
}

TEST(Compare, CampaignsAreToldApartByWhenTheyBegan) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 10.0), ownRun({1, 1}, 1, 10.1), ownRun({1, 1}, 1, 10.2)};
    runs[0].campaign = "20261121-081530-3fa2";
    runs[1].campaign = "20261122-081530-77aa";
    runs[2].campaign = "20261122-081530-99bb";  // within one second
    Comparison comparison = compare(runs, vocabulary());
    for (const ComparedSeries& series : comparison.series) {  // files name it as the workspace does
        EXPECT_EQ(series.title, "dlperf-worker, " + series.key.campaign);
    }
    const std::string named = comparison.series.front().key.campaign;
    comparison = withCampaignNames(std::move(comparison), {{named, "before the update"}});
    std::set<std::string> titles;
    for (const ComparedSeries& series : comparison.series) {
        const std::string name =
            series.key.campaign == named ? "before the update" : campaignTitle(series.key.campaign);
        EXPECT_TRUE(series.title.starts_with("dlperf-worker, " + name)) << series.title;
        EXPECT_EQ(series.campaignName, name);
        titles.insert(series.title);
    }
    EXPECT_EQ(titles.size(), 3U);
}

// The earlier campaign lost a repetition and has the 1n1g figure; the one that completes it has the others.
TEST(Compare, WhatCompletesACampaignIsOneSeriesWithIt) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 10.0), ownRun({1, 1}, 2, 11.0), ownRun({1, 1}, 3, 12.0),
                                ownRun({1, 2}, 1, 20.0)};
    runs[2].campaign = runs[3].campaign = "2026-11-22";
    EXPECT_EQ(compare(runs, vocabulary()).series.size(), 2U);
    runs[2].completes = runs[3].completes = "2026-11-21";
    const Comparison comparison = compare(runs, vocabulary());
    ASSERT_EQ(comparison.series.size(), 1U);
    const ComparedSeries& series = comparison.series[0];
    EXPECT_EQ(series.key.campaign, "2026-11-21");
    EXPECT_EQ(series.title, "dlperf-worker");
    EXPECT_EQ(series.cells[0].fold.median, 11.0);
    EXPECT_EQ(series.cells[1].speedup, 1.82) << "over the 1n1g of both";
    EXPECT_TRUE(std::ranges::all_of(runs, [&](const RunResult& run) { return holds(series, run); }));
    ResultFilter filter = firstFilter(runs);
    filter.campaigns = {"2026-11-21"};
    EXPECT_TRUE(std::ranges::all_of(runs, [&](const RunResult& run) { return filter.passes(run); }));
}

TEST(Compare, OtherDriversAreWarnedAbout) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 10.0), ownRun({1, 1}, 1, 10.1)};
    runs[1].campaign = "2026-11-22";
    runs[0].versions = {{"driver", "535"}};
    runs[1].versions = {{"driver", "550"}};
    EXPECT_TRUE(warns(compare(runs, vocabulary()).warnings, "GPU drivers differ: 535 ("));
    runs[1].versions = {};  // it does not say
    EXPECT_FALSE(warns(compare(runs, vocabulary()).warnings, "GPU drivers differ"));
}

// dlperf-worker: the average is rounded on its exact decimals, the median as numpy does. 1.115 is below the
// tie.
TEST(Compare, FoldsByTheRuleOfTheFormat) {
    const Comparison comparison = compare({ownRun({1, 1}, 1, 1.00), ownRun({1, 1}, 2, 1.23)}, vocabulary());
    EXPECT_EQ(comparison.series[0].cells[0].fold.average, 1.11);
    EXPECT_EQ(comparison.series[0].cells[0].fold.median, 1.12);
}

// oneflow-resnet50 folds unrounded and rounds what is shown: the speedup is 20.006 / 10.004, not 20.01 / 10.
TEST(Compare, RoundsOnlyWhatIsShownWhereTheRuleSaysSo) {
    RunResult one = ownRun({1, 1}, 1, 10.004);
    RunResult two = ownRun({1, 2}, 1, 20.006);
    one.format = two.format = "oneflow-resnet50";
    const Comparison comparison = compare({one, two}, vocabulary());
    const Cell& cell = comparison.series[0].cells[1];
    EXPECT_EQ(cell.fold.average, 20.01);
    EXPECT_EQ(cell.fold.median, 20.01);
    EXPECT_EQ(cell.speedup, 2.0);
    EXPECT_EQ(cell.efficiency, 20.006 / 10.004 / 2);
}

// Times are shown with three decimals, and all of them are true; so where the format is not known.
TEST(Compare, RoundsTimesToThreeDecimals) {
    for (const char* format : {"hugectr-wdl", "oneflow-wdl", "oneflow-wdl-models", "nobody's"}) {
        std::vector<RunResult> runs;
        for (const double figure : {2.134, 2.136, 2.138, 2.1404}) {
            runs.push_back(ownRun({1, 1}, static_cast<int>(runs.size()) + 1, figure));
            runs.back().format = format;
            runs.back().unit = "ms/iteration";
        }
        const Cell cell = compare(runs, vocabulary()).series.at(0).cells.at(0);
        EXPECT_EQ(cell.fold.median, 2.137) << format;
        EXPECT_EQ(cell.fold.average, 2.137) << format;
    }
}

TEST(Compare, WithoutOneDeviceThereIsNoSpeedup) {
    const Comparison comparison = compare({ownRun({1, 2}, 1, 20)}, vocabulary());
    EXPECT_FALSE(comparison.series[0].cells[0].speedup);
    EXPECT_FALSE(comparison.series[0].cells[0].efficiency);
}

TEST(Compare, RunsWithoutAFigureAreCountedAndSayWhy) {
    RunResult oom = ownRun({4, 8}, 1, 0);
    oom.outcome = Outcome::Oom;
    oom.throughput.reset();
    RunResult failed = ownRun({2, 8}, 1, 0);
    failed.outcome = Outcome::Failed;
    failed.reason = "node3: exit code 1";
    failed.throughput.reset();
    RunResult alsoFailed = failed;
    alsoFailed.repetition = 2;
    RunResult excluded = ownRun({1, 8}, 1, 80);
    excluded.excluded = true;
    excluded.exclusionReason = "throttled";
    RunResult outlier = ownRun({1, 1}, 2, 1);
    outlier.excluded = true;
    RunResult crashed = ownRun({1, 1}, 3, 0);
    crashed.outcome = Outcome::Failed;
    crashed.reason = "it crashed";
    crashed.throughput.reset();
    const Comparison comparison =
        compare({ownRun({1, 1}, 1, 10), outlier, crashed, excluded, failed, alsoFailed, oom}, vocabulary());
    const auto& cells = comparison.series.at(0).cells;
    EXPECT_EQ(cells[0].fold.median, 10.0);  // the excluded repetition is not folded
    EXPECT_EQ(cells[0].excluded, 1);
    EXPECT_EQ(cells[0].failures, "1 of 3 failed: it crashed");
    EXPECT_EQ(cells[1].missing, "1 of 1 excluded: throttled");
    EXPECT_EQ(cells[2].missing, "2 of 2 failed: node3: exit code 1");
    EXPECT_EQ(cells[2].failed, 2);
    EXPECT_EQ(cells[3].missing, "OOM");
    for (const Cell& cell : cells) {
        EXPECT_NE(cell.fold.median.has_value(), !cell.missing.empty());
    }
}

TEST(Compare, ACaseThatWasCancelledWholeIsCountedOnly) {
    const auto cancelled = [](const char* campaign, Topology topology, int repetition) {
        RunResult run = ownRun(topology, repetition, 0);
        run.campaign = campaign;
        run.outcome = Outcome::Cancelled;
        run.throughput.reset();
        run.reason = "cancelled by a cancel request";
        return run;
    };
    RunResult never = cancelled("other", {1, 1}, 2);
    never.outcome = Outcome::NotRun;
    RunResult measured = ownRun({1, 1}, 1, 10);
    measured.campaign = "one";
    const std::vector<RunResult> runs{measured, cancelled("one", {1, 1}, 2), cancelled("one", {1, 8}, 1),
                                      cancelled("other", {1, 1}, 1), never};
    const Comparison comparison = compare(runs, vocabulary());
    ASSERT_EQ(comparison.series.size(), 1U);
    EXPECT_EQ(comparison.topologies, (std::vector<Topology>{{1, 1}}));
    EXPECT_EQ(comparison.series[0].cells[0].fold.median, 10.0);
    EXPECT_EQ(comparison.series[0].cells[0].failed, 0);
    EXPECT_EQ(CancelledCases(runs).size(), 2U);
    EXPECT_EQ(buildReport(runs, vocabulary()).subtitle.find("2 runs of 1 campaign, 2 cases cancelled"), 0U)
        << buildReport(runs, vocabulary()).subtitle;
}

TEST(Compare, WhatACampaignOfTheSeriesMeasuredIsNotCancelled) {
    RunResult cancelled = ownRun({1, 1}, 1, 0);
    cancelled.campaign = "first";
    cancelled.outcome = Outcome::Cancelled;
    cancelled.throughput.reset();
    RunResult measured = ownRun({1, 1}, 2, 10);
    measured.campaign = "further";
    measured.completes = "first";
    const std::vector<RunResult> runs{cancelled, measured};
    EXPECT_EQ(CancelledCases(runs).size(), 0U);
    EXPECT_EQ(buildReport(runs, vocabulary()).subtitle.find("2 runs of 1 campaign"), 0U)
        << buildReport(runs, vocabulary()).subtitle;
}

TEST(Compare, AFailureIsToldByTheRunThatFailed) {
    RunResult crashed = ownRun({1, 1}, 1, 0);
    crashed.outcome = Outcome::Failed;
    crashed.throughput.reset();
    crashed.reason = "it crashed";
    RunResult never = crashed;
    never.repetition = 2;
    never.outcome = Outcome::NotRun;
    never.reason = "the user cancelled the plan";
    EXPECT_EQ(compare({crashed, never}, vocabulary()).series[0].cells[0].missing, "1 of 1 failed: it crashed")
        << "what a campaign gave up before it began, no workspace has";
}

TEST(Compare, EverySeriesHasACellForEveryTopology) {
    const Comparison comparison = compare(
        {ownRun({1, 1}, 1, 10), ownRun({2, 1}, 1, 19), quotedRun("OneFlow", {4, 8}, 12411.97)}, vocabulary());
    EXPECT_EQ(comparison.topologies, (std::vector<Topology>{{1, 1}, {2, 1}, {4, 8}}));
    EXPECT_EQ(findCell(seriesOf(comparison, "OneFlow"), {1, 1})->missing, "not published");
    EXPECT_EQ(findCell(seriesOf(comparison, "dlperf-worker"), {4, 8})->missing, "not measured");
    EXPECT_EQ(findCell(comparison.series[0], {9, 9}), nullptr);
}

TEST(Compare, CampaignsVariantsAndOriginsAreNeverMixed) {
    RunResult other = ownRun({1, 1}, 1, 20);
    other.campaign = "2026-11-22";
    RunResult variant = ownRun({1, 1}, 1, 30);
    variant.benchmarkCase.configuration.variant = {{"workers", "48"}};
    RunResult imported = ownRun({1, 1}, 1, 40);
    imported.origin = Origin::Imported;
    imported.campaign = "old logs";
    const Comparison comparison = compare({ownRun({1, 1}, 1, 10), other, variant, imported}, vocabulary());
    EXPECT_EQ(comparison.series.size(), 4U);
    std::set<std::string> ids;
    for (const ComparedSeries& series : comparison.series) {
        EXPECT_EQ(series.cells[0].fold.count, 1);
        ids.insert(series.id);
    }
    EXPECT_EQ(ids.size(), 4U);
}

TEST(Base, SpeedupsCanBeOverAnotherSeries) {
    const Comparison own =
        compare({quotedRun("NGC PyTorch", {1, 1}, 100), quotedRun("NGC PyTorch", {1, 8}, 700),
                 quotedRun("OneFlow", {1, 1}, 150), quotedRun("OneFlow", {1, 8}, 1155)},
                vocabulary());
    const Comparison over = overBase(own, seriesOf(own, "NGC PyTorch").id);
    EXPECT_EQ(over.speedupBase, "NGC PyTorch");
    EXPECT_EQ(findCell(seriesOf(over, "OneFlow"), {1, 1})->speedup, 1.5);
    EXPECT_EQ(findCell(seriesOf(over, "OneFlow"), {1, 8})->speedup, 11.55);
    EXPECT_EQ(findCell(seriesOf(over, "OneFlow"), {1, 8})->efficiency, 1155.0 / 150 / 8);  // its own
    EXPECT_EQ(speedupLines(over, vocabulary(), {}).unit, "over 1n1g of NGC PyTorch");
    EXPECT_EQ(overBase(own, "no such id").speedupBase, "");
}

TEST(Titles, SayOnlyWhatTellsSeriesApart) {
    RunResult small = ownRun({1, 1}, 1, 100);
    small.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    const Comparison comparison =
        compare({ownRun({1, 1}, 1, 10), small, quotedRun("NGC PyTorch", {1, 1}, 367.29)}, vocabulary());
    EXPECT_EQ(comparison.title, "ResNet50 v1.5, fp32, batch size 128");
    EXPECT_NO_THROW(seriesOf(comparison, "dlperf-worker"));
    EXPECT_NO_THROW(seriesOf(comparison, "dlperf-worker, image_size=64"));
    EXPECT_NO_THROW(seriesOf(comparison, "NGC PyTorch"));
}

// A reader must not take figures of small images for those of the usual ones, whatever stands beside them.
TEST(Titles, NeverHideAVariant) {
    RunResult small = ownRun({1, 1}, 1, 100);
    small.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    small.benchmarkCase.configuration.features = {"dali"};
    const Comparison alone = compare({small}, vocabulary());
    EXPECT_EQ(alone.title, "ResNet50 v1.5, fp32, batch size 128, DALI, image_size=64");
    EXPECT_EQ(alone.series[0].title, "dlperf-worker");
    const Comparison beside = compare({small, quotedRun("NGC PyTorch", {1, 1}, 367.29)}, vocabulary());
    EXPECT_NO_THROW(seriesOf(beside, "dlperf-worker, image_size=64"));
}

TEST(Titles, SayOnceWhatAllShare) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 10), ownRun({1, 1}, 1, 20), ownRun({1, 1}, 1, 30)};
    for (RunResult& run : runs) {
        run.benchmarkCase.configuration.variant = {{"backend", "cpu"}, {"classes", "100"}};
    }
    runs[0].benchmarkCase.configuration.variant["workers"] = "8";
    runs[1].benchmarkCase.configuration.variant["workers"] = "16";
    const Comparison comparison = compare(runs, vocabulary());
    EXPECT_EQ(comparison.title, "ResNet50 v1.5, fp32, batch size 128, backend=cpu, classes=100");
    EXPECT_NO_THROW(seriesOf(comparison, "dlperf-worker, workers=8"));
    EXPECT_NO_THROW(seriesOf(comparison, "dlperf-worker, workers=16"));
    EXPECT_NO_THROW(seriesOf(comparison, "dlperf-worker"));  // at its default
    // The same option with another value is shared by none.
    runs[2].benchmarkCase.configuration.variant["backend"] = "cuda";
    const Comparison mixed = compare(runs, vocabulary());
    EXPECT_EQ(mixed.title, "ResNet50 v1.5, fp32, batch size 128, classes=100");
    EXPECT_NO_THROW(seriesOf(mixed, "dlperf-worker, backend=cpu, workers=8"));
    EXPECT_NO_THROW(seriesOf(mixed, "dlperf-worker, backend=cuda"));
}

TEST(Titles, SayWhetherTheyAreOfAllSeries) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 100), ownRun({1, 1}, 1, 100), ownRun({1, 1}, 1, 100)};
    runs[0].benchmarkCase.configuration.batchSize = 32;
    runs[1].benchmarkCase.configuration.batchSize = 64;
    const Comparison none = compare(runs, vocabulary());
    EXPECT_EQ(none.title, "ResNet50 v1.5, fp32") << "no batch size is that of most";
    EXPECT_TRUE(none.titleIsOfAll);
    runs[1].benchmarkCase.configuration.batchSize = 128;
    runs[2].benchmarkCase.configuration.variant["workers"] = "16";
    const Comparison most = compare(runs, vocabulary());
    EXPECT_EQ(most.title, "ResNet50 v1.5, fp32, batch size 128");
    EXPECT_FALSE(most.titleIsOfAll);
}

TEST(Titles, AreUniqueWhateverTheNames) {
    RunResult hostile = ownRun({1, 1}, 1, 1);
    hostile.benchmarkCase.configuration.implementation = "dlperf-worker, workers=8";
    RunResult variant = ownRun({1, 1}, 1, 2);
    variant.benchmarkCase.configuration.variant = {{"workers", "8"}};
    RunResult nameless = ownRun({1, 1}, 1, 3);
    nameless.benchmarkCase.configuration = {};
    std::set<std::string> titles;
    const Comparison comparison = compare({hostile, variant, nameless, ownRun({1, 1}, 1, 4)}, vocabulary());
    for (const ComparedSeries& series : comparison.series) {
        EXPECT_FALSE(series.title.empty());
        titles.insert(series.title);
    }
    EXPECT_EQ(titles.size(), comparison.series.size());
    std::set<std::string> all;
    const Comparison whole = compare(test::published(), vocabulary());
    for (const ComparedSeries& series : whole.series) {
        all.insert(series.title);
    }
    EXPECT_EQ(all.size(), whole.series.size());
}

TEST(Warnings, SmallImagesBesidePublishedFiguresAreSaid) {
    RunResult small = ownRun({1, 1}, 1, 100);
    small.benchmarkCase.configuration.variant = {{"image_size", "64"}};
    const Comparison comparison = compare({small, quotedRun("OneFlow", {1, 1}, 397.64)}, vocabulary());
    EXPECT_TRUE(
        warns(comparison.warnings, "Image sizes differ: 224 (OneFlow), 64 (dlperf-worker, image_size=64)"));
    const ChartOptions options;
    for (const ChartSpec& chart :
         {throughputBars(comparison, vocabulary(), options), speedupLines(comparison, vocabulary(), options),
          efficiencyLines(comparison, vocabulary(), options)}) {
        EXPECT_EQ(chart.warnings, warningTexts(comparison.warnings));
    }
}

TEST(Warnings, WhatALogFromElsewhereLeavesOpenIsUnknown) {
    const auto warningsOf = [](const std::string& implementation, const Variant& variant) {
        RunResult run = quotedRun("NGC PyTorch", {1, 1}, 310);
        run.origin = Origin::Imported;
        run.benchmarkCase.configuration.implementation = implementation;
        run.benchmarkCase.configuration.variant = variant;
        return compare({run, quotedRun("OneFlow", {1, 1}, 300)}, vocabulary()).warnings;
    };
    EXPECT_TRUE(warns(warningsOf("timm", {}), "Image sizes differ: 224 (OneFlow), unknown ("));
    EXPECT_TRUE(warns(warningsOf("timm", {}), "Data differ: real (OneFlow), unknown ("));
    EXPECT_TRUE(warns(warningsOf("", {}), "Data differ: real (OneFlow), unknown ("));
    EXPECT_FALSE(warns(warningsOf("timm", {{"image_size", "224"}}), "Image sizes differ"));
    EXPECT_TRUE(
        warns(warningsOf("timm", {{"data", "synthetic"}}), "Data differ: real (OneFlow), synthetic ("));
    EXPECT_FALSE(warns(warningsOf("ngc-pytorch", {}), "Image sizes differ")) << "DLPerf's scripts fix it";
}

TEST(Warnings, EachMixIsSaidAndOneKindAloneIsNot) {
    EXPECT_TRUE(compare({ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 20)}, vocabulary()).warnings.empty());

    const auto mixed = [](auto change) {
        RunResult other = quotedRun("OneFlow", {1, 1}, 300);
        change(other);
        return compare({quotedRun("NGC PyTorch", {1, 1}, 310), other}, vocabulary()).warnings;
    };
    EXPECT_TRUE(mixed([](RunResult&) {}).empty());
    EXPECT_TRUE(warns(mixed([](RunResult& run) { run.benchmarkCase.configuration.model = "r50-v1b"; }),
                      "Models differ"));
    EXPECT_TRUE(warns(mixed([](RunResult& run) { run.benchmarkCase.configuration.precision = "amp"; }),
                      "Precisions differ"));
    EXPECT_TRUE(warns(mixed([](RunResult& run) { run.benchmarkCase.configuration.precision = ""; }),
                      "The precision is unknown: OneFlow"));
    EXPECT_TRUE(warns(mixed([](RunResult& run) { run.benchmarkCase.configuration.batchSize = 64; }),
                      "Batch sizes differ: 128, 64"));
    EXPECT_TRUE(warns(mixed([](RunResult& run) { run.unit = "sentences/s"; }), "Units differ"));
    EXPECT_TRUE(
        warns(mixed([](RunResult& run) { run.benchmarkCase.configuration.features = {"synthetic-data"}; }),
              "Data differ: real (NGC PyTorch), synthetic (OneFlow)"));
    const auto machines =
        compare({ownRun({1, 1}, 1, 10), quotedRun("OneFlow", {1, 1}, 300)}, vocabulary()).warnings;
    EXPECT_TRUE(warns(machines, "Measured on different machines"));
    EXPECT_TRUE(warns(machines, "Data differ"));
}

TEST(Warnings, WhatTitlesSayAlreadyNamesNoSeries) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 10), ownRun({1, 1}, 1, 20)};
    runs.back().benchmarkCase.configuration.batchSize *= 2;
    const auto texts = warningTexts(compare(runs, vocabulary()).warnings);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_TRUE(texts.front().starts_with("Batch sizes differ: ")) << texts.front();
    EXPECT_EQ(texts.front().find('('), std::string::npos) << texts.front();
}

TEST(Warnings, AQuotedSpeedupThatItsFiguresContradictIsSaid) {
    RunResult eight = quotedRun("OneFlow", {1, 8}, 80);
    eight.quotedSpeedup = 7.5;
    const Comparison comparison = compare({quotedRun("OneFlow", {1, 1}, 10), eight}, vocabulary());
    EXPECT_TRUE(
        warns(comparison.warnings, "OneFlow quotes a speedup of 7.50× for 1n8g, its figures give 8.00×"));
    EXPECT_EQ(comparison.series[0].cells[1].speedup, 8.0);
}

TEST(Settings, ThatTellCasesOfAnImplementationApartAreTheirOwn) {
    Configuration small = ownRun({1, 1}, 1, 10).benchmarkCase.configuration;
    small.variant = {{"image_size", "32"}, {"workers", "1"}};
    Configuration large = small;
    large.variant["image_size"] = "64";
    Configuration xla = large;
    xla.features = {"xla"};
    Configuration other = quotedRun("OneFlow", {1, 1}, 300).benchmarkCase.configuration;
    other.variant = {{"data", "~/imagenet"}};
    using Texts = std::vector<std::string>;
    EXPECT_EQ(settingsApart({&small, &large, &other}, vocabulary()),
              (Texts{"image_size=32", "image_size=64", ""}));
    EXPECT_EQ(settingsApart({&small, &xla}, vocabulary()), (Texts{"image_size=32", "XLA, image_size=64"}));
    EXPECT_EQ(settingsApart({&small, &small}, vocabulary()), (Texts{"", ""}));
    Configuration bert = small;
    bert.model = "bert";
    EXPECT_NE(settingsApart({&small, &bert}, vocabulary())[1], "");
    EXPECT_EQ(settingsApart({}, vocabulary()), Texts());
    EXPECT_EQ(settingsText(xla, vocabulary()), "XLA, image_size=64, workers=1");
}

// Whoever imported logs of two models asks to see both.
TEST(ResultFilter, ShowsAllModelsOfAnImport) {
    std::vector<RunResult> results;
    for (const char* model : {"r50", "r50-v1b", "bert-base"}) {
        RunResult& result = results.emplace_back(ownRun({1, 1}, 1, 100));
        result.origin = Origin::Imported;
        result.campaign = model == std::string("bert-base") ? "two" : "one";
        result.benchmarkCase.configuration.model = model;
    }
    const auto shown = [&](const ResultFilter& filter) {
        return std::ranges::count_if(results, [&](const RunResult& one) { return filter.passes(one); });
    };
    ResultFilter filter;
    EXPECT_TRUE(makeVisible(filter, "one", results));
    EXPECT_EQ(filter.model, "r50");  // a family is one model
    EXPECT_EQ(shown(filter), 2);
    results[1].campaign = "two";
    EXPECT_TRUE(makeVisible(filter, "two", results));
    EXPECT_EQ(filter.model, allModels);
    EXPECT_EQ(shown(filter), 3);
}

TEST(SeriesTitles, GoWithoutTheirSharedPartsWhereThereIsLittleRoom) {
    const std::vector<std::string> alike{"dlperf-worker, batch size 64, image_size=32, classes=10",
                                         "dlperf-worker, batch size 32, image_size=32, classes=10"};
    EXPECT_EQ(withoutSharedParts(alike), (std::vector<std::string>{"batch size 64", "batch size 32"}));
    const std::vector<std::string> one{"dlperf-worker", "dlperf-worker, batch size 32"};
    EXPECT_EQ(withoutSharedParts(one), one);
    EXPECT_EQ(withoutSharedParts({"a, x", "b, x"}), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(withoutSharedParts({"a, x"}), (std::vector<std::string>{"a, x"}));
    EXPECT_TRUE(withoutSharedParts({}).empty());
}

}  // namespace
}  // namespace dlperf::report
