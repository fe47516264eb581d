// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/fold_checks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace dlperf::cluster {
namespace {

std::vector<std::string> numbered(const char* format, int first, int last) {
    std::vector<std::string> names;
    for (int i = first; i <= last; ++i) {
        names.push_back(fmt::format(fmt::runtime(format), i));
    }
    return names;
}

TEST(FoldNames, AsSlurmWritesThem) {
    EXPECT_EQ(foldNames(numbered("node{}", 1, 64)), "node[1-64]");
    EXPECT_EQ(foldNames(numbered("node{:02}", 8, 12)), "node[08-12]");
    EXPECT_EQ(foldNames({"n1", "n3", "n2", "n7"}), "n[1-3,7]");
    EXPECT_EQ(foldNames({"gpu3", "login", "n1", "n2"}), "gpu3, login, n[1-2]");
    EXPECT_EQ(foldNames({"r1n1.lab", "r1n2.lab", "r2n1.lab"}), "r1n[1-2].lab, r2n1.lab");
    EXPECT_EQ(foldNames({"n1", "n01"}), "n1, n01");
    EXPECT_EQ(foldNames({"n99999999999999999999999", "n1"}), "n1, n99999999999999999999999");
    EXPECT_EQ(foldNames({}), "");
}

TEST(FoldChecks, WhatDiffersInNumbersIsSaidOnce) {
    std::vector<std::pair<std::string, std::vector<Check>>> nodes;
    for (int i = 1; i <= 64; ++i) {
        nodes.push_back({fmt::format("node{}", i),
                         {passed("Reachable", fmt::format("10.0.0.{}", i)),
                          passed("Work folder", fmt::format("{} GB free in ~/dlperf", 800 + i % 3)),
                          i % 32 == 0 ? failed("Setup", "ended with an error", "why", "do", "cmd")
                                      : passed("Setup", "ran without an error")}});
    }
    const auto folded = foldChecks(nodes);
    ASSERT_EQ(folded.size(), 4U);
    EXPECT_EQ(folded[0].check.summary, "10.0.0.1");
    EXPECT_EQ(folded[0].nodes.size(), 64U);
    EXPECT_EQ(folded[1].check.summary, "800 to 802 GB free in ~/dlperf");
    EXPECT_EQ(folded[2].check.title, "Setup");
    EXPECT_EQ(foldNames(folded[3].nodes), "node[32,64]");
    EXPECT_EQ(folded[3].check.verdict, Verdict::Failed);
    EXPECT_TRUE(foldChecks({}).empty());
}

TEST(FoldChecks, AVerdictIsNeverHidden) {
    const auto folded =
        foldChecks({{"a", {passed("Load", "1 of 2")}}, {"b", {warning("Load", "9 of 2", "w", "r", "c")}}});
    ASSERT_EQ(folded.size(), 2U);
    EXPECT_EQ(folded[0].check.verdict, Verdict::Passed);
    EXPECT_EQ(folded[1].nodes, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace dlperf::cluster
