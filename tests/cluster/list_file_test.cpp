// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/list_file.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/base/mapped.h"

namespace dlperf::cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Node nodeOf(const std::string& name, int devices = 1) {
    Node node;
    node.name = name;
    node.host = name;
    node.devices = devices;
    return node;
}

Cluster listOf(std::vector<Node> nodes) {
    return {"lab", std::move(nodes), {}};
}

std::vector<std::string> namesIn(const Cluster& list) {
    return mapped(list.nodes, &Node::name);
}

class ListFile : public testing::Test {
protected:
    TemporaryFolder folder_ = *TemporaryFolder::make("dlperf-list");
    std::filesystem::path file_ = folder_.path() / "cluster.json";
    Cluster before_ = listOf({nodeOf("a"), nodeOf("b")});

    void write(const Cluster& list) const { ASSERT_TRUE(writeFileAtomically(file_, toJson(list).dump())); }
};

TEST_F(ListFile, IsWrittenAsItIsWhereNobodyElseChangedIt) {
    const auto first = saveChange(file_, before_, listOf({nodeOf("b")}));
    ASSERT_TRUE(first) << describe(first.error());
    EXPECT_TRUE(first->found.empty() && first->aside.empty());
    const auto second = saveChange(file_, listOf({nodeOf("b")}), before_);
    ASSERT_TRUE(second);
    EXPECT_THAT(namesIn(*readCluster(file_)), ElementsAre("a", "b")) << "in the order of the list";
}

TEST_F(ListFile, KeepsTheChangesOfOthers) {
    write(listOf({nodeOf("b"), nodeOf("c", 7)}));  // a is removed, c is new
    const auto saved = saveChange(file_, before_, listOf({nodeOf("a"), nodeOf("b", 8), nodeOf("d")}));
    ASSERT_TRUE(saved) << describe(saved.error());
    EXPECT_FALSE(saved->found.empty());
    EXPECT_THAT(saved->aside.string(), IsEmpty());
    const Cluster there = *readCluster(file_);
    EXPECT_THAT(namesIn(there), ElementsAre("b", "c", "d"));
    EXPECT_EQ(there.nodes[0].devices, 8);
    EXPECT_EQ(there.nodes[1].devices, 7);
    EXPECT_EQ(toJson(there), toJson(saved->list));
}

TEST_F(ListFile, PutsAsideWhatDoesNotGoTogether) {
    const std::vector<Cluster> others{listOf({nodeOf("a", 4), nodeOf("b")}),
                                      listOf({nodeOf("b")}),
                                      {"another", {nodeOf("a"), nodeOf("b"), nodeOf("c")}, {}}};
    const Cluster after = listOf({nodeOf("a", 8), nodeOf("b")});
    int number = 0;
    for (const Cluster& other : others) {
        write(other);
        const auto saved = saveChange(file_, before_, after);
        ASSERT_TRUE(saved) << describe(saved.error());
        EXPECT_EQ(toJson(*readCluster(file_)), toJson(after));
        ++number;
        EXPECT_EQ(saved->aside, file_.string() + ".other" + (number > 1 ? std::to_string(number) : ""));
        EXPECT_EQ(toJson(*readCluster(saved->aside)), toJson(other));
    }
    EXPECT_FALSE(bothChanges(before_, listOf({nodeOf("b")}), listOf({nodeOf("a")}))) << "none would be left";
}

TEST_F(ListFile, KeepsWhatCannotBeRead) {
    ASSERT_TRUE(writeFileAtomically(file_, "{"));
    const auto saved = saveChange(file_, before_, before_);
    ASSERT_TRUE(saved);
    EXPECT_EQ(readFile(saved->aside).value(), "{");
    EXPECT_THAT(namesIn(*readCluster(file_)), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace dlperf::cluster
