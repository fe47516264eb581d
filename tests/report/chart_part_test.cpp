// SPDX-License-Identifier: Apache-2.0
#include "core/report/chart_spec.h"

#include <gtest/gtest.h>

#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;
using test::vocabulary;

Comparison fourTopologies() {
    return compare(
        {ownRun({1, 1}, 1, 10), ownRun({1, 2}, 1, 19), ownRun({1, 4}, 1, 37), ownRun({1, 8}, 1, 70)},
        vocabulary());
}

TEST(ChartPart, OfBarsHasItsCategoriesOnly) {
    const ChartSpec chart = throughputBars(fourTopologies(), vocabulary(), {});
    const ChartSpec part = partOf(chart, {.x = ChartRange{1, 2}});
    EXPECT_EQ(part.x.categories, (std::vector<std::string>{"1n2g", "1n4g"}));
    ASSERT_EQ(part.series[0].points.size(), 2U);
    EXPECT_EQ(part.series[0].points[0].x, 0);
    EXPECT_EQ(part.series[0].points[0].y, 19);
    EXPECT_EQ(part.series[0].points[1].y, 37);
    EXPECT_EQ(partOf(chart, {.x = ChartRange{3, 9}}).x.categories, std::vector<std::string>{"1n8g"});
    EXPECT_EQ(partOf(chart, {}).series[0].points.size(), 4U);
}

TEST(ChartPart, OfLinesHasItsAxes) {
    const ChartSpec part = partOf(speedupLines(fourTopologies(), vocabulary(), {}),
                                  {.x = ChartRange{2, 8}, .y = ChartRange{1.5, 8}});
    EXPECT_EQ(part.x.lowest, 2);
    EXPECT_EQ(part.x.highest, 8);
    EXPECT_EQ(part.y.lowest, 1.5);
    EXPECT_EQ(part.series[1].points.size(), 4U);  // the line comes from beyond the edge
}

}  // namespace
}  // namespace dlperf::report
