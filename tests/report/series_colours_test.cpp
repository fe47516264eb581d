// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_colours.h"

#include <gtest/gtest.h>

#include <set>

#include "core/report/series_points.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;

RunResult ofOwn(int batchSize, const std::string& precision, const std::string& imageSize = "64") {
    RunResult result = ownRun({1, 1}, 1, 100);
    Configuration& configuration = result.benchmarkCase.configuration;
    configuration.batchSize = batchSize;
    configuration.precision = precision;
    configuration.variant = {{"image_size", imageSize}};
    result.id += std::to_string(batchSize) + precision + imageSize;
    return result;
}

Comparison coloured(const std::vector<RunResult>& results, std::optional<PivotField> field = {}) {
    return withColours(compare(results, test::vocabulary()), field, test::vocabulary());
}

int hueOf(const Comparison& comparison, int batchSize, const std::string& precision) {
    for (const ComparedSeries& series : comparison.series) {
        if (series.key.configuration.batchSize == batchSize &&
            series.key.configuration.precision == precision) {
            return series.position.value() % huesByPosition;
        }
    }
    return -1;
}

TEST(SeriesColours, TellApartWhatDiffersMostWhereOneFrameworkRan) {
    const std::vector<RunResult> runs{ofOwn(32, "fp32"), ofOwn(64, "fp32"), ofOwn(96, "fp32"),
                                      ofOwn(32, "amp"), ofOwn(64, "amp")};
    const Comparison comparison = coloured(runs);
    EXPECT_EQ(colouredByItself(comparison, test::vocabulary()), PivotField::BatchSize);
    EXPECT_EQ(hueOf(comparison, 32, "fp32"), hueOf(comparison, 32, "amp"));
    EXPECT_EQ((std::set{hueOf(comparison, 32, "fp32"), hueOf(comparison, 64, "amp"),
                        hueOf(comparison, 96, "fp32")}),
              (std::set{0, 1, 2}));
    std::set<std::optional<int>> looks;  // hue and fill
    for (const ComparedSeries& series : comparison.series) {
        looks.insert(series.position);
    }
    EXPECT_EQ(looks.size(), runs.size());
    const Comparison byPrecision = coloured(runs, PivotField::Precision);
    EXPECT_EQ(hueOf(byPrecision, 32, "amp"), hueOf(byPrecision, 64, "amp"));
    EXPECT_NE(hueOf(byPrecision, 32, "amp"), hueOf(byPrecision, 32, "fp32"));
}

TEST(SeriesColours, StayTheFrameworksWhereThereAreTwo) {
    RunResult other = ofOwn(64, "fp32");
    other.benchmarkCase.configuration.framework = "pytorch";
    const Comparison comparison = coloured({ofOwn(32, "fp32"), ofOwn(64, "fp32"), other});
    for (const ComparedSeries& series : comparison.series) {
        EXPECT_FALSE(series.position);
        EXPECT_EQ(chartSeries(series).framework, series.key.configuration.framework);
    }
    // Somebody may choose otherwise; what all agree in tells nothing apart.
    EXPECT_TRUE(coloured({ofOwn(32, "fp32"), ofOwn(64, "fp32"), other}, PivotField::BatchSize)
                    .series.front()
                    .position);
    EXPECT_FALSE(coloured({ofOwn(32, "fp32"), other}, PivotField::Options).series.front().position);
}

TEST(SeriesColours, AreOneEachPastTheirNumber) {
    std::vector<RunResult> runs;
    for (int i = 1; i <= 2 * huesByPosition + 1; ++i) {
        runs.push_back(ofOwn(8 * i, "fp32"));
    }
    std::set<std::optional<int>> looks;
    for (const ComparedSeries& series : coloured(runs).series) {
        looks.insert(series.position);
    }
    EXPECT_EQ(looks.size(), runs.size());
}

}  // namespace
}  // namespace dlperf::report
