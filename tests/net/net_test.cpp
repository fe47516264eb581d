// SPDX-License-Identifier: Apache-2.0
#include "tests/net/net_test.h"

#include <algorithm>

namespace dlperf::test {
pid_t startRun(NetLab& net, const RunWish& wish) {
    Json plan{{"topologies", {std::to_string(net.nodes()) + "n1g"}}};
    plan.update(wish.plan);
    auto words = net.lab.runArguments(net.lab.plan(wish.options, plan),
                                      {"--cluster", net.cluster(wish.node).string(), "--keep-node-files"});
    words.insert(words.end(), wish.arguments.begin(), wish.arguments.end());
    return net.lab.start(words);
}

run::Ended cancel(NetLab& net) {
    return net.lab.dlperf({"cancel", "--workspace", net.lab.workspace.root().string()});
}

bool waitForIteration(const NetLab& net, int iteration) {
    return run::eventually([&] {
        const auto runs = net.lab.runs();
        if (runs.empty() || runs[0].phase != run::RunPhase::Running) {
            return false;
        }
        const auto seen = run::iterationsOf(net.lab.log(runs[0]));
        return std::find(seen.begin(), seen.end(), iteration) != seen.end();
    });
}

void expectLogsAgree(NetLab& net) {
    const run::RunState run = net.lab.runs().at(0);
    for (int node = 0; node < net.nodes(); ++node) {
        EXPECT_TRUE(std::filesystem::exists(net.remoteLog(run, node))) << net.remoteLog(run, node);
        EXPECT_EQ(net.lab.log(run, node), run::slurp(net.remoteLog(run, node))) << "node " << node;
    }
}

void expectOk(NetLab& net, const run::Ended& ended, int lastIteration) {
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const auto runs = net.lab.runs();
    ASSERT_EQ(runs.size(), 1U) << ended.errors;
    EXPECT_EQ(runs[0].outcome, Outcome::Ok) << runs[0].reason;
    EXPECT_GT(runs[0].throughput.value_or(0), 0);
    EXPECT_EQ(run::iterationsOf(net.lab.log(runs[0])), run::oneTo(lastIteration));
    expectLogsAgree(net);
    EXPECT_THAT(net.lab.trainers(), testing::IsEmpty());
}

void expectNotOk(NetLab& net, const run::Ended& ended, Outcome outcome, const std::string& words) {
    EXPECT_EQ(ended.exitCode, 1) << ended.errors;
    const auto runs = net.lab.runs();
    ASSERT_EQ(runs.size(), 1U) << ended.errors;
    EXPECT_EQ(runs[0].outcome, outcome) << runs[0].reason;
    EXPECT_THAT(runs[0].reason, testing::HasSubstr(words));
    expectLogsAgree(net);
    EXPECT_THAT(net.lab.trainers(), testing::IsEmpty());
}

}  // namespace dlperf::test
