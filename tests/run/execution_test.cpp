// SPDX-License-Identifier: Apache-2.0
// One run from claim to verdict, with something in between that goes wrong.
#include <gmock/gmock.h>

#include "tests/run/bench.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool sendsSignals(const remote::Command& command) {
    return command.script.find("\nspare=") != std::string::npos;
}

TEST(Execution, AProcessThatSurvivesFailsTheRunAndKeepsTheNode) {
    Bench bench;
    bench.transports["a"]->after = [](const remote::Command& command, remote::CommandResult& result) {
        if (sendsSignals(command)) {
            result.output += "4000001\n4000002\n";
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_EQ(end->results.at(0).reason, "node a: processes 4000001, 4000002 are still running");
    EXPECT_TRUE(fs::exists(bench.lockOf("a"))) << "the next run would be measured beside them";
}

TEST(Execution, ANodeThatCannotBeStoppedFailsTheRunAndSaysWhy) {
    Bench bench;
    bench.transports["a"]->before = [](const remote::Command& command) {
        return sendsSignals(command) ? std::optional(Error{"it hangs", "node a", {}, ErrorKind::Work})
                                     : std::nullopt;
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_EQ(end->results.at(0).outcome, Outcome::Failed);
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("node a could not be stopped: it hangs"));
    EXPECT_TRUE(fs::exists(bench.lockOf("a")));
}

TEST(Execution, AClaimThatWasCutShortLeavesNoLock) {
    Bench bench;
    bench.transports["a"]->after = [](const remote::Command& command, remote::CommandResult& result) {
        if (command.script.find("echo \"home $HOME\"") != std::string::npos) {
            result = {1, {}, "the connection ended here", false};  // after the lock was taken
        }
    };
    const auto end = bench.run(bench.create());
    ASSERT_TRUE(end) << describe(end.error());
    EXPECT_THAT(end->results.at(0).reason, HasSubstr("the connection ended here"));
    EXPECT_FALSE(fs::exists(bench.lockOf("a")));
}

}  // namespace
}  // namespace dlperf::run
