// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/compute_baseline.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/cluster/baseline.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Five repetitions around so many images/s.
std::vector<double> around(double throughput) {
    std::vector<double> figures{1, 1.004, 0.996, 1.002, 0.998};
    std::ranges::transform(figures, figures.begin(), [&](double one) { return throughput * one; });
    return figures;
}

ComputeBaseline evenNodes(int nodes) {
    ComputeBaseline baseline{.measured = *parseIso8601("2026-11-27T18:00:00.000Z"), .by = "dlperf-worker"};
    for (int i = 0; i < nodes; ++i) {
        baseline.nodes.push_back({.node = "node" + std::to_string(i),
                                  .backend = "cpu",
                                  .batchSize = 4,
                                  .imageSize = 64,
                                  .throughputs = around(400)});
    }
    return baseline;
}

std::vector<std::string> slowIn(const ComputeBaseline& baseline) {
    return mapped(slowNodes(baseline), &SlowNode::sentence);
}

TEST(ComputeBaseline, ASlowNodeIsNamed) {
    ComputeBaseline baseline = evenNodes(4);
    baseline.nodes[3].throughputs = around(370);
    EXPECT_THAT(slowIn(baseline),
                ElementsAre("node3 computes 8.1\u00A0% slower than the others (p = 0.032)"));
    const SlowNode slow = slowNodes(baseline)[0];
    EXPECT_EQ(slow.node, "node3");
    EXPECT_NEAR(slow.slower, 400.0 / 370 - 1, 1e-9);
    EXPECT_THAT(slow.slowerInEach, testing::Each(testing::DoubleNear(slow.slower, 1e-9)));
    baseline.nodes[3].throughputs = around(396);
    EXPECT_THAT(slowIn(baseline), IsEmpty()) << "1 % is nothing";
}

// With nine repetitions of each p is below 0.001, and no zero.
TEST(ComputeBaseline, ASmallPIsSaidAsABound) {
    ComputeBaseline baseline = evenNodes(3);
    for (NodeCompute& node : baseline.nodes) {
        node.throughputs = {node.node == "node2" ? 370.0 : 400.0};
        for (int i = 1; i < 9; ++i) {
            node.throughputs.push_back(node.throughputs.front() + 0.1 * i);
        }
    }
    EXPECT_THAT(slowIn(baseline), ElementsAre(HasSubstr("slower than the others (p < 0.001)")));
}

TEST(ComputeBaseline, OfManyNodesOrFewRepetitionsOneIsSlowByFarOnly) {
    ComputeBaseline many = evenNodes(16);
    many.nodes[7].throughputs = around(370);
    EXPECT_THAT(slowIn(many), IsEmpty());
    many.nodes[7].throughputs = around(320);
    EXPECT_THAT(slowIn(many), ElementsAre("node7 computes 25.0\u00A0% slower than the others"));
    ComputeBaseline once = evenNodes(3);
    for (NodeCompute& node : once.nodes) {
        node.throughputs = {node.node == "node1" ? 200.0 : 400.0};
    }
    EXPECT_THAT(slowIn(once), ElementsAre(HasSubstr("node1 computes 100.0")));
}

TEST(ComputeBaseline, EvenNodesAreNotBlamed) {
    for (const int nodes : {0, 1, 2, 3, 64}) {
        EXPECT_THAT(slowIn(evenNodes(nodes)), IsEmpty()) << nodes;
    }
    ComputeBaseline baseline = evenNodes(3);
    baseline.nodes[0].throughputs.clear();
    EXPECT_THAT(slowIn(baseline), IsEmpty());
    baseline.nodes[1].throughputs = {395};  // of the others it has one repetition
    EXPECT_THAT(slowIn(baseline), IsEmpty());
}

// A processor beside GPUs is another measurement, not a slow GPU.
TEST(ComputeBaseline, OnlyTheSameWorkIsCompared) {
    ComputeBaseline baseline = evenNodes(3);
    baseline.nodes[2].throughputs = around(40);
    EXPECT_EQ(slowIn(baseline).size(), 1U);
    baseline.nodes[2].imageSize = 224;
    EXPECT_THAT(slowIn(baseline), IsEmpty());
}

TEST(ComputeBaseline, WhatIsWrittenIsRead) {
    ComputeBaseline baseline = evenNodes(3);
    baseline.nodes[1] = {.node = "b\n\"x\"", .missing = "node b: was not reached"};
    baseline.nodes[2].missing = "it was lost in the third repetition";
    const auto folder = TemporaryFolder::make("compute");
    const auto file = folder->path() / "compute.json";
    ASSERT_TRUE(writeBaseline(file, toJson(baseline)));
    const auto again = readComputeBaseline(file);
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(toJson(*again), toJson(baseline));
    EXPECT_EQ(again->measured, baseline.measured);
    EXPECT_EQ(again->nodes[1].missing, "node b: was not reached");
    EXPECT_FALSE(again->nodes[1].isMeasured());
    EXPECT_DOUBLE_EQ(throughputOf(again->nodes[2]).value(), 400);
    EXPECT_EQ(toJson(*again)["nodes"][0]["throughput"], 400.0);
}

TEST(ComputeBaseline, ABrokenFileIsRefusedWithItsPlace) {
    EXPECT_FALSE(readComputeBaseline("/nowhere/compute.json"));
    const Json good = toJson(evenNodes(2));
    ASSERT_TRUE(computeBaselineFromJson(good, "compute.json"));
    const auto refusal = [&](const std::string& pointer, const Json& value) {
        Json json = good;
        json[Json::json_pointer(pointer)] = value;
        const auto read = computeBaselineFromJson(json, "compute.json");
        return read ? "taken" : describe(read.error());
    };
    EXPECT_THAT(refusal("/measured", "yesterday"), HasSubstr("\"measured\" is no time"));
    EXPECT_THAT(refusal("/nodes", 3), HasSubstr("\"nodes\" must be a list"));
    EXPECT_THAT(refusal("/nodes/0", 3), HasSubstr("is not a JSON object"));
    EXPECT_THAT(refusal("/nodes/0/node", 3), HasSubstr("\"node\""));
    EXPECT_THAT(refusal("/nodes/0/batch_size", -1), HasSubstr("\"batch_size\" must be"));
    for (const Json& odd : {Json(3), Json{{"a", 1}}, Json{1, "x"}, Json{0}, Json{-1}, Json(2000, 1.0)}) {
        EXPECT_THAT(refusal("/nodes/0/throughputs", odd), HasSubstr("\"throughputs\" must be a list"))
            << odd.dump();
    }
    EXPECT_THAT(refusal("/nodes/0/nod", 3), HasSubstr("\"nod\" is not a known field"));
    EXPECT_FALSE(computeBaselineFromJson(Json(3), "compute.json"));
}

}  // namespace
}  // namespace dlperf::cluster
