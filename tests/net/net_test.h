// SPDX-License-Identifier: Apache-2.0
// What the tests on machines in namespaces have in common. Where there can be none they are reported as not
// run.
#pragma once

#include <gtest/gtest.h>

#include "tests/net/net_lab.h"

namespace dlperf::test {

class NetTest : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = whyNoMachines(); !why.empty()) {
            GTEST_SKIP() << why;
        }
    }
};

// Nothing is lost: each node's log is here byte for byte.
inline void expectLogsAgree(const NetLab& net, const run::RunStatus& run, int nodes) {
    for (int node = 0; node < nodes; ++node) {
        const std::string there = run::slurp(net.remoteLog(run, node));
        EXPECT_EQ(net.lab.log(run, node), there) << "node " << node;
    }
}

}  // namespace dlperf::test
