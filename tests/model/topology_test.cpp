// SPDX-License-Identifier: Apache-2.0
#include "core/model/case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace dlperf {
namespace {

TEST(Topology, ReadsAnyNodesAndDevices) {
    EXPECT_EQ(parseTopology("1n1g"), (Topology{1, 1}));
    EXPECT_EQ(parseTopology("4n8g"), (Topology{4, 8}));
    EXPECT_EQ(parseTopology("10n16g"), (Topology{10, 16}));
    EXPECT_EQ(parseTopology("4n8g")->worldSize(), 32);
}

TEST(Topology, RefusesEverythingElse) {
    for (const char* text : {"",         "n",     "ng",    "1n",       "1ng",
                             "n1g",      "8g",    "0n1g",  "1n0g",     "01n1g",
                             "1n1",      "1N1G",  "1n1g ", " 1n1g",    "-1n1g",
                             "+1n1g",    "1n1gg", "1nn1g", "1n1g_old", "99999999999n1g",
                             "65537n1g", "1.0n1g"}) {
        EXPECT_EQ(parseTopology(text), std::nullopt) << text;
    }
}

TEST(Topology, TheLargestWorldIsANumber) {
    const auto largest = parseTopology("65536n16384g");
    ASSERT_TRUE(largest);
    EXPECT_EQ(largest->worldSize(), 1'073'741'824);
    EXPECT_EQ(parseTopology("65536n65536g"), std::nullopt);  // its world size is none that an int holds
}

TEST(Topology, IsWrittenAsItIsRead) {
    for (const char* text : {"1n1g", "2n8g", "10n16g"}) {
        EXPECT_EQ(toString(parseTopology(text).value()), text);
    }
}

TEST(Topology, SortsBySizeThenByNodes) {
    std::vector<Topology> sorted{{4, 8}, {2, 1}, {1, 2}, {1, 1}, {1, 8}};
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, (std::vector<Topology>{{1, 1}, {1, 2}, {2, 1}, {1, 8}, {4, 8}}));
}

}  // namespace
}  // namespace dlperf
