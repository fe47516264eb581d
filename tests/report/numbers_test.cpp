// SPDX-License-Identifier: Apache-2.0
#include "core/report/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace dlperf::report {
namespace {

TEST(Numbers, AreGroupedWithFixedDecimalsAndATrueMinus) {
    EXPECT_EQ(grouped(12411.97, 2), "12,411.97");
    EXPECT_EQ(grouped(999.996, 2), "1,000.00");
    EXPECT_EQ(grouped(1234567, 0), "1,234,567");
    EXPECT_EQ(grouped(354.2, 2), "354.20");
    EXPECT_EQ(grouped(-1234.5, 1), "−1,234.5");
    EXPECT_EQ(grouped(-0.001, 2), "0.00");
    EXPECT_EQ(grouped(std::numeric_limits<double>::quiet_NaN(), 2), "–");
}

TEST(Numbers, FollowTheirStyles) {
    EXPECT_EQ(times(31.21), "31.21×");
    EXPECT_EQ(times(31.21, 1), "31.2×");
    EXPECT_EQ(percent(0.975), "97.5\u00A0%");
    EXPECT_EQ(percent(-0.087), "−8.7\u00A0%");
    EXPECT_EQ(percent(0.05, true), "+5.0\u00A0%");
    EXPECT_EQ(throughputText(std::nullopt), "–");
    EXPECT_EQ(milliseconds(0.00264), "2.6\u00A0ms");
    EXPECT_EQ(dayOf(*parseIso8601("2026-11-21T23:59:59.999Z")), "2026-11-21");
}

TEST(Numbers, LabelsHaveAtLeastThreeDigits) {
    EXPECT_EQ(brief(12411.97), "12,412");
    EXPECT_EQ(brief(99.97), "100");
    EXPECT_EQ(brief(12.46), "12.5");
    EXPECT_EQ(brief(3.14159), "3.14");
}

}  // namespace
}  // namespace dlperf::report
