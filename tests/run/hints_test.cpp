// SPDX-License-Identifier: Apache-2.0
// A run that fails says what went wrong and what helps: where it ran, in its record, and when asked later.
#include <gmock/gmock.h>

#include "core/diagnosis/diagnose.h"
#include "core/store/run_record.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<diagnosis::Hint> hintsOf(const RunState& run) {
    const auto record = store::readRunRecord(run.path);
    return record ? diagnosis::hintsFromJson(record->facts.value("diagnosis", Json()))
                  : std::vector<diagnosis::Hint>();
}

TEST(Hints, AFailedRunNamesCauseAndRemedy) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "oom"}})));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("cause: "));
    EXPECT_THAT(ended.errors, HasSubstr("ran out of GPU memory."));
    EXPECT_THAT(ended.errors, HasSubstr("remedy: Take a smaller batch size"));
    EXPECT_THAT(ended.errors, HasSubstr("said: line 12 of "));
    const auto hints = hintsOf(lab.runs().at(0));
    ASSERT_EQ(hints.size(), 1U);
    EXPECT_EQ(hints[0].rule, "gpu-memory");
    const Ended status = lab.dlperf({"status", "--workspace", lab.workspace.root().string()});
    EXPECT_THAT(status.output, HasSubstr("remedy: Take a smaller batch size"));
}

TEST(Hints, TheSecondNodesLogIsReadToo) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(
        lab.plan({{"behaviour", "command-missing"}}, {{"topologies", {"2n1g"}}, {"nodes", {"a", "b"}}}),
        {"--cluster", lab.cluster(2).string()}));
    EXPECT_EQ(ended.exitCode, 1);
    const auto hints = hintsOf(lab.runs().at(0));
    ASSERT_EQ(hints.size(), 1U) << "its exit code 127 says no more than its line";
    EXPECT_EQ(hints[0].rule, "missing-command");
    EXPECT_EQ(hints[0].node, "b");
}

TEST(Hints, ARunThatEndsWellHasNone) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan()));
    EXPECT_EQ(ended.exitCode, 0);
    EXPECT_THAT(ended.errors, Not(HasSubstr("cause: ")));
    EXPECT_TRUE(hintsOf(lab.runs().at(0)).empty());
}

}  // namespace
}  // namespace dlperf::run
