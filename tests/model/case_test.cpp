// SPDX-License-Identifier: Apache-2.0
#include "core/model/case.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace dlperf {
namespace {

TEST(Words, OriginsAndOutcomesAreReadAsWritten) {
    for (const Origin origin : {Origin::Own, Origin::Imported, Origin::Published}) {
        EXPECT_EQ(parseOrigin(toString(origin)), origin);
    }
    for (const Outcome outcome :
         {Outcome::Ok, Outcome::Oom, Outcome::Failed, Outcome::Cancelled, Outcome::Short, Outcome::NotRun}) {
        EXPECT_EQ(parseOutcome(toString(outcome)), outcome);
    }
    EXPECT_EQ(parseOrigin("Own"), std::nullopt);
    EXPECT_EQ(parseOutcome("not run"), std::nullopt);
}

TEST(Time, GoesToTextAndBack) {
    for (const char* text :
         {"2026-11-21T09:15:02.123Z", "1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z"}) {
        const auto time = parseIso8601(text);
        ASSERT_TRUE(time) << text;
        EXPECT_EQ(toIso8601(*time), text);
    }
    EXPECT_EQ(parseIso8601("1970-01-01T00:00:01.500Z")->time_since_epoch().count(), 1500);
}

TEST(Time, RefusesWhatIsNone) {
    for (const char* text :
         {"", "2026-11-21", "2026-11-21T09:15:02Z", "2026-11-21T09:15:02.123", "2026-02-30T00:00:00.000Z",
          "2026-11-21T24:00:00.000Z", "2026-11-21T09:15:02.123Zx", "2026-11-21T-1:15:02.123Z",
          "2026-11-21T09:-5:02.123Z", "2026-11-21T09:15:02.-12Z", "2026-11-21T09:15:02.5Z"}) {
        EXPECT_EQ(parseIso8601(text), std::nullopt) << text;
    }
}

TEST(Campaign, IsNamedByWhenItBegan) {
    ::setenv("TZ", "UTC-8", 1);  // eight hours east
    ::tzset();
    EXPECT_EQ(campaignTitle("20261121-081530-3fa2"), "2026-11-21 16:15:30");
    EXPECT_EQ(campaignTitle("20261121-081530-0123fa2"), "2026-11-21 16:15:30");
    for (const char* other :
         {"", "old logs", "2026-11-21", "README.md", "20261321-081530-3fa2", "20261121-081530"}) {
        EXPECT_EQ(campaignTitle(other), other);
    }
    ::unsetenv("TZ");
    ::tzset();
}

TEST(Cases, CompareByWhatTheyMeasure) {
    Case one;
    one.configuration.model = "r50";
    Case other = one;
    EXPECT_EQ(one, other);
    other.topology = {2, 8};
    EXPECT_LT(one, other);
    other = one;
    other.configuration.variant["workers"] = "5";
    EXPECT_NE(one, other);
}

TEST(Unit, TimesAreBetterWhenTheyAreLower) {
    EXPECT_TRUE(lowerIsBetter("ms"));
    EXPECT_TRUE(lowerIsBetter("ms/iteration"));
    EXPECT_FALSE(lowerIsBetter("images/s"));
    EXPECT_FALSE(lowerIsBetter("samples/s"));
}

}  // namespace
}  // namespace dlperf
