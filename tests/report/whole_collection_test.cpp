// SPDX-License-Identifier: Apache-2.0
// Every row of the published collection is found in the comparison, under its own source or merged with the
// same figures of another one; times stand beside throughputs without sharing their axis.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "core/base/json.h"
#include "core/report/compare_steps.h"
#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::published;
using test::quotedRun;
using test::vocabulary;

Json rows() {
    std::ifstream file(test::resources() / "published" / "dlperf.json");
    return Json::parse(file);
}

bool shows(const Cell& cell, const RunResult& result) {
    if (result.excluded) {
        return cell.excluded > 0;
    }
    if (!result.throughput) {
        return !cell.missing.empty();
    }
    return result.repetition == 0 ? cell.fold.median == result.throughput
                                  : std::find(cell.repetitions.begin(), cell.repetitions.end(),
                                              *result.throughput) != cell.repetitions.end();
}

// By model, precision and batch size, as the filters of Compare choose.
TEST(Collection, EveryRowIsReachable) {
    const Json all = rows();
    ASSERT_EQ(all.size(), 2221U);
    ASSERT_EQ(published().size(), all.size());
    std::map<std::tuple<std::string, std::string, int>, std::vector<RunResult>> groups;
    for (const RunResult& result : published()) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        groups[{configuration.model, configuration.precision, configuration.batchSize}].push_back(result);
    }
    int shown = 0;
    int merged = 0;
    for (const auto& [what, results] : groups) {
        const Comparison comparison = compare(results, vocabulary());
        for (const RunResult& result : results) {
            const auto series = std::find_if(comparison.series.begin(), comparison.series.end(),
                                             [&](const ComparedSeries& one) { return holds(one, result); });
            ASSERT_NE(series, comparison.series.end()) << result.id;
            const Cell* cell = findCell(*series, result.benchmarkCase.topology);
            ASSERT_NE(cell, nullptr) << result.id;
            EXPECT_TRUE(shows(*cell, result)) << result.id;
            ++(series->key.campaign == result.campaign ? shown : merged);
        }
    }
    EXPECT_EQ(shown + merged, 2221);
    EXPECT_GT(merged, 168);  // at least the translated report
}

// What a row says is what its result says: nothing is rounded, renamed or dropped on the way.
TEST(Collection, EveryRowKeepsItsFigure) {
    const Json all = rows();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Json& row = all[i];
        const RunResult& result = published()[i];
        const bool time = row["kind"] == "latency";
        const Json& figure = row.contains(time ? "latency_ms" : "throughput")
                                 ? row[time ? "latency_ms" : "throughput"]
                                 : Json();
        EXPECT_EQ(result.throughput.has_value(), figure.is_number()) << result.id;
        if (figure.is_number()) {
            EXPECT_EQ(*result.throughput, figure.get<double>()) << result.id;
        }
        EXPECT_EQ(result.unit, row["unit"].get<std::string>());
        EXPECT_TRUE(result.campaign.starts_with(row["source"].get<std::string>()));
        EXPECT_EQ(result.benchmarkCase.configuration.batchSize,
                  row["batch_size_per_device"].is_null() ? 0 : row["batch_size_per_device"].get<int>());
        for (const auto& [kind, id] :
             {std::pair(WordKind::Framework, result.benchmarkCase.configuration.framework),
              std::pair(WordKind::Implementation, result.benchmarkCase.configuration.implementation),
              std::pair(WordKind::Model, result.benchmarkCase.configuration.model)}) {
            EXPECT_NE(vocabulary().find(kind, id), nullptr) << id << " is no word of the vocabulary";
        }
    }
}

TEST(MergedSources, TheReportAndItsTranslationAreOneSeries) {
    std::vector<RunResult> chosen;
    for (const RunResult& result : published()) {
        const Configuration& configuration = result.benchmarkCase.configuration;
        if (result.campaign.starts_with("reports/dlperf_benchmark_test_report_v1") &&
            configuration.framework == "oneflow" && configuration.model == "r50" &&
            configuration.precision == "fp32") {
            chosen.push_back(result);
        }
    }
    const Comparison comparison = compare(chosen, vocabulary());
    ASSERT_EQ(comparison.series.size(), 1U);
    EXPECT_EQ(comparison.series[0].sources,
              (std::vector<std::string>{"reports/dlperf_benchmark_test_report_v1.md",
                                        "reports/dlperf_benchmark_test_report_v1_cn.md"}));
    EXPECT_EQ(quotedSources(comparison).size(), 1U);
}

TEST(MergedSources, WhatContradictsStaysApart) {
    const auto from = [](const char* source, double figure, std::optional<double> speedup = {}) {
        RunResult result = quotedRun("OneFlow", {4, 8}, figure);
        result.campaign = source;
        result.quotedSpeedup = speedup;
        return result;
    };
    const auto seriesOf = [](const std::vector<RunResult>& results) {
        return compare(results, vocabulary()).series.size();
    };
    EXPECT_EQ(seriesOf({from("a", 100), from("b", 100)}), 1U);
    EXPECT_EQ(seriesOf({from("a", 100), from("b", 101)}), 2U);
    EXPECT_EQ(seriesOf({from("a", 100, 30.0), from("b", 100)}), 1U);
    EXPECT_EQ(seriesOf({from("a", 100, 30.0), from("b", 100, 31.0)}), 2U);
    const Comparison late = compare({from("a", 100), from("b", 100, 31.0)}, vocabulary());
    ASSERT_EQ(late.series.size(), 1U);
    EXPECT_EQ(late.series[0].cells[0].speedup, 31.0);  // only b knows it
    RunResult own = test::ownRun({4, 8}, 1, 100);
    EXPECT_EQ(compare({own, from("a", 100)}, vocabulary()).series.size(), 2U);
}

std::vector<RunResult> wideAndDeep() {
    std::vector<RunResult> chosen;
    for (const RunResult& result : published()) {
        if (result.unit == "ms/iteration") {
            chosen.push_back(result);
        }
    }
    return chosen;
}

TEST(Times, LowerIsBetter) {
    ASSERT_EQ(wideAndDeep().size(), 127U);
    const Comparison comparison = compare(wideAndDeep(), vocabulary());
    for (const ComparedSeries& series : comparison.series) {
        EXPECT_TRUE(series.key.configuration.variant.contains("vocab"));
        for (const Cell& cell : series.cells) {
            EXPECT_FALSE(cell.speedup);
            EXPECT_EQ(cell.memoryMb.has_value(), cell.fold.median.has_value());
        }
    }
    const ChartSpec chart = throughputBars(comparison, vocabulary(), {});
    EXPECT_EQ(chart.unit, "ms/iteration");
    EXPECT_EQ(chart.title, "Time");
    EXPECT_EQ(memoryBars(comparison, vocabulary(), {}).unit, "MB");
}

TEST(Times, NeverShareAnAxisWithThroughputs) {
    std::vector<RunResult> mixed{quotedRun("OneFlow", {1, 1}, 397), quotedRun("NGC PyTorch", {1, 1}, 367)};
    mixed.push_back(wideAndDeep().front());
    const Comparison comparison = compare(mixed, vocabulary());
    EXPECT_EQ(comparison.series.size(), 3U);
    const ChartSpec chart = throughputBars(comparison, vocabulary(), {});
    EXPECT_EQ(chart.series.size(), 2U);
    EXPECT_EQ(chart.unit, "images/s");
    EXPECT_TRUE(test::warns(chart.warnings, "Units differ"));
}

TEST(Times, TheFastestIsTheSmallest) {
    RunResult slow = quotedRun("OneFlow", {1, 1}, 20);
    RunResult fast = quotedRun("NGC PyTorch", {1, 1}, 10);
    slow.unit = fast.unit = "ms/iteration";
    const Report report = buildReport({slow, fast}, vocabulary());
    const ReportSection& section = report.sections.at(0);
    EXPECT_EQ(section.comparison.series[0].title, "NGC PyTorch");  // best first
    EXPECT_TRUE(
        section.summary.starts_with("On 1 device (1n1g) NGC PyTorch takes 10.000 ms/iteration. "
                                    "OneFlow follows with 20.000 ms/iteration (+100.0"));
    EXPECT_EQ(resultNote(section.comparison), "Median time in ms/iteration: lower is better.");
}

}  // namespace
}  // namespace dlperf::report
