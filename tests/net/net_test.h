// SPDX-License-Identifier: Apache-2.0
// What the tests on machines in namespaces have in common. Where there can be none they are reported as not
// run.
#pragma once

#include <gmock/gmock.h>

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

struct RunWish {
    std::map<std::string, std::string> options{};  // of the recipe
    Json plan = Json::object();                    // fields of the plan
    Json node = Json::object();                    // fields of every node
    std::vector<std::string> arguments{};          // of dlperf run
};
// Starts a run of one process on each machine, of the toy trainer unless the plan says otherwise.
[[nodiscard]] pid_t startRun(NetLab& net, const RunWish& wish);
[[nodiscard]] run::Ended cancel(NetLab& net);

// What a test waits for before it breaks something.
[[nodiscard]] bool waitForIteration(const NetLab& net, int iteration);

// The one run there is ended well with these iterations, and nothing is lost: each node's log is here.
void expectOk(NetLab& net, const run::Ended& ended, int lastIteration);
// It ended with this outcome and a reason that holds these words; each node's log is here.
void expectNotOk(NetLab& net, const run::Ended& ended, Outcome outcome, const std::string& words);
// Byte for byte.
void expectLogsAgree(NetLab& net);

}  // namespace dlperf::test
