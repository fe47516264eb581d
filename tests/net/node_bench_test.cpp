// SPDX-License-Identifier: Apache-2.0
// `dlperf bench compute` and `data` on several machines, reached over SSH.
#include <fstream>

#include "core/cluster/compute_baseline.h"
#include "core/cluster/data_baseline.h"
#include "tests/net/net_test.h"

namespace dlperf::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class NodeBenches : public NetTest {
protected:
    static run::Ended bench(NetLab& net, const std::string& what, const std::vector<std::string>& more,
                            const Json& changes = Json::object()) {
        std::vector<std::string> words{"bench", what, net.cluster(changes).string(), "--workspace",
                                       net.lab.workspace.root().string()};
        words.insert(words.end(), more.begin(), more.end());
        return net.lab.dlperf(words);
    }
};

TEST_F(NodeBenches, EachMachineComputesByItself) {
    NetLab net(2);
    net.layToPeers(1, {.cut = true});  // they need not reach each other
    const run::Ended ended = bench(net, "compute", {"--repetitions", "2"});
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const auto baseline = cluster::readComputeBaseline(net.lab.workspace.computeBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    ASSERT_EQ(baseline->nodes.size(), 2U);
    for (const cluster::NodeCompute& node : baseline->nodes) {
        EXPECT_EQ(node.throughputs.size(), 2U) << node.node;
        EXPECT_EQ(node.batchSize, 4);
    }
    EXPECT_THAT(net.lab.runs(), IsEmpty()) << "its runs are no results";
    EXPECT_THAT(net.lab.trainers(), IsEmpty());
}

TEST_F(NodeBenches, AMachineWithoutTheFolderIsMissing) {
    NetLab net(2);
    const auto folder = net.lab.root / "data $(of) b";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "file") << std::string(1000, 'x');
    const run::Ended ended =
        bench(net, "data", {"--seconds", "60"},
              {{"data_dir", folder.string()},
               {"setup", "[ \"$(hostname)\" = b ] || export DLPERF_DATA_DIR=/nowhere/data"}});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("node a: missing, cannot read the folder /nowhere/data"));
    const auto baseline = cluster::readDataBaseline(net.lab.workspace.dataBaseline());
    ASSERT_TRUE(baseline) << describe(baseline.error());
    EXPECT_FALSE(baseline->nodes.at(0).isMeasured());
    EXPECT_EQ(baseline->nodes.at(1).bytes, 1000);
    EXPECT_THAT(net.lab.trainers(), IsEmpty());
}

}  // namespace
}  // namespace dlperf::test
