// SPDX-License-Identifier: Apache-2.0
#include "core/report/series_colours.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/report/before_after.h"
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

TEST(SeriesColours, HaveOneHueForEachValueOfTheChosenField) {
    const std::vector<RunResult> runs{ofOwn(32, "fp32"), ofOwn(64, "fp32"), ofOwn(96, "fp32"),
                                      ofOwn(32, "amp"), ofOwn(64, "amp")};
    const Comparison comparison = coloured(runs, PivotField::BatchSize);
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

// As Runs and the pivot table show it, where nobody chose otherwise.
TEST(SeriesColours, AreTheFrameworks) {
    RunResult other = ofOwn(64, "fp32");
    other.benchmarkCase.configuration.framework = "pytorch";
    for (const std::vector<RunResult>& results :
         {std::vector{ofOwn(32, "fp32"), ofOwn(64, "fp32")}, {ofOwn(32, "fp32"), ofOwn(64, "fp32"), other}}) {
        for (const ComparedSeries& series : coloured(results).series) {
            EXPECT_FALSE(series.position);
            EXPECT_EQ(chartSeries(series).framework, series.key.configuration.framework);
        }
    }
    // Somebody may choose otherwise; what all agree in tells nothing apart.
    EXPECT_TRUE(coloured({ofOwn(32, "fp32"), ofOwn(64, "fp32"), other}, PivotField::BatchSize)
                    .series.front()
                    .position);
    EXPECT_FALSE(coloured({ofOwn(32, "fp32"), other}, PivotField::Options).series.front().position);
}

TEST(SeriesLooks, StayWhenAFilterLeavesFewer) {
    const std::vector<RunResult> all{ofOwn(32, "fp32"), ofOwn(64, "fp32"), ofOwn(96, "fp32"),
                                     ofOwn(96, "amp")};
    const SeriesLooks looks(all, test::vocabulary());
    const auto fills = [&](const std::vector<RunResult>& results) {
        std::map<std::string, int> found;
        for (const ComparedSeries& series : withLooks(compare(results, test::vocabulary()), looks).series) {
            found[series.id] = series.fill;
        }
        return found;
    };
    const auto whole = fills(all);
    std::set<int> different;
    for (const auto& [id, fill] : whole) {
        different.insert(fill);
    }
    EXPECT_EQ(different.size(), all.size());
    for (const auto& [id, fill] : fills({all[1], all[3]})) {
        EXPECT_EQ(fill, whole.at(id));
    }
    EXPECT_EQ(fills({all[1]}).begin()->second,
              looks.fillOf({all[1].benchmarkCase.configuration, all[1].origin, all[1].campaign}));
}

// As Runs shows it: an empty one would colour it by position, as the first of the known ones.
TEST(SeriesColours, OfAnUnknownFrameworkAreThoseOfAnyOther) {
    RunResult run = ofOwn(32, "fp32");
    run.benchmarkCase.configuration.framework.clear();
    const Comparison comparison = coloured({run});
    EXPECT_EQ(chartSeries(comparison.series.front()).framework, unknownFramework);
    const Pivot pivot = pivotOf(comparison, test::vocabulary(), {});
    EXPECT_EQ(pivot.columns.front().framework, unknownFramework);
    EXPECT_FALSE(pivot.columns.front().isByPosition);
    const BeforeAfterSide side{.id = "a", .name = "a", .results = {run}};
    const auto compared =
        beforeAndAfter(side, {.id = "b", .name = "b", .results = {run}}, test::vocabulary());
    ASSERT_TRUE(compared) << describe(compared.error());
    EXPECT_EQ(differenceDots(*compared, 0).series.front().framework, unknownFramework);
}

TEST(SeriesLooks, AreOneEachAsLongAsThereAreSome) {
    std::vector<RunResult> runs;
    for (int i = 1; i <= 2 * looksOfFramework; ++i) {
        runs.push_back(ofOwn(8 * i, "fp32"));
    }
    const SeriesLooks looks(runs, test::vocabulary());
    std::set<int> shown;
    runs.erase(runs.begin(), runs.begin() + looksOfFramework);
    for (const ComparedSeries& series : withLooks(compare(runs, test::vocabulary()), looks).series) {
        shown.insert(series.fill);
    }
    EXPECT_EQ(shown.size(), static_cast<std::size_t>(looksOfFramework));
}

TEST(SeriesColours, AreOneEachPastTheirNumber) {
    std::vector<RunResult> runs;
    for (int i = 1; i <= 2 * huesByPosition + 1; ++i) {
        runs.push_back(ofOwn(8 * i, "fp32"));
    }
    std::set<std::optional<int>> looks;
    for (const ComparedSeries& series : coloured(runs, PivotField::BatchSize).series) {
        looks.insert(series.position);
    }
    EXPECT_EQ(looks.size(), runs.size());
}

}  // namespace
}  // namespace dlperf::report
