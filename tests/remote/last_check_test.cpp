// SPDX-License-Identifier: Apache-2.0
// What a node was at its last check is remembered, and what changed is told once.
#include "core/remote/last_check.h"

#include <gmock/gmock.h>

#include "core/cluster/checks.h"
#include "tests/support/folder.h"

namespace dlperf::remote {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

cluster::NodeFacts factsOf(const std::string& driver) {
    cluster::NodeFacts facts;
    facts.host = "host1";
    facts.machine = "boot1 net1";
    facts.driver = driver;
    facts.gpus = {{.name = "A100",
                   .memory = "81920 MiB",
                   .clock = {},
                   .ecc = "Enabled",
                   .mig = {},
                   .persistence = {},
                   .uuid = "GPU-1"}};
    return facts;
}

std::vector<std::string> changesOf(const test::Folder& folder, const cluster::Node& node,
                                   cluster::NodeFacts facts) {
    tellChanges(folder.path() / "made at need", node, facts);
    return facts.changes;
}

TEST(LastCheck, ToldIsWhatChanged) {
    const test::Folder folder;
    cluster::Node node;
    node.name = "a";
    EXPECT_THAT(changesOf(folder, node, factsOf("535")), IsEmpty()) << "never seen";
    EXPECT_THAT(changesOf(folder, node, factsOf("535")), IsEmpty());
    auto facts = factsOf("550");
    facts.machine = "boot2 net1";
    facts.gpus.front().ecc = "Disabled";
    EXPECT_THAT(
        changesOf(folder, node, facts),
        UnorderedElementsAre("driver 550, was 535", "it was started anew",
                             "GPU GPU-1 A100, 81920 MiB, ECC Disabled, was A100, 81920 MiB, ECC Enabled"));
    EXPECT_THAT(changesOf(folder, node, facts), IsEmpty()) << "told once";
    facts.gpus.front().name = "V100";
    facts.gpus.front().uuid = "GPU-2";
    EXPECT_THAT(changesOf(folder, node, facts), ElementsAre("GPU models V100, was A100"));
    facts.gpus.clear();
    EXPECT_THAT(changesOf(folder, node, facts), ElementsAre("GPU models none, was V100", "GPUs 0, was 1"));
    node.name = "b";
    EXPECT_THAT(changesOf(folder, node, factsOf("470")), IsEmpty()) << "another node";
}

TEST(LastCheck, AContainerHasItsOwnNetworkEachTime) {
    const test::Folder folder;
    cluster::Node node;
    node.image = "pytorch";
    auto facts = factsOf("535");
    EXPECT_THAT(changesOf(folder, node, facts), IsEmpty());
    facts.machine = "boot1 net2";
    EXPECT_THAT(changesOf(folder, node, facts), IsEmpty());
}

TEST(LastCheck, AFileThatIsNoneIsWrittenAnew) {
    const test::Folder folder;
    const cluster::Node node;
    EXPECT_THAT(changesOf(folder, node, factsOf("535")), IsEmpty());
    for (const auto& file : std::filesystem::directory_iterator(folder.path() / "made at need")) {
        std::filesystem::resize_file(file.path(), 3);
    }
    EXPECT_THAT(changesOf(folder, node, factsOf("550")), IsEmpty());
    EXPECT_THAT(changesOf(folder, node, factsOf("560")), ElementsAre("driver 560, was 550"));
}

TEST(LastCheck, WhatChangedIsACheckToLookAt) {
    auto facts = factsOf("535");
    facts.changes = {"driver 550, was 535", "it was started anew"};
    const auto checks = cluster::checkNode({}, facts);
    const auto found = std::ranges::find(checks, "Changed since the last check", &cluster::Check::title);
    ASSERT_NE(found, checks.end());
    EXPECT_EQ(found->verdict, cluster::Verdict::Warning);
    EXPECT_EQ(found->summary, "driver 550, was 535; it was started anew");
}

}  // namespace
}  // namespace dlperf::remote
