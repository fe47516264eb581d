// SPDX-License-Identifier: Apache-2.0
// A recipe with a trainer, a log format and a Python of its own, run as users run it.
#include <gmock/gmock.h>

#include "core/base/file.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::HasSubstr;

const Json toyInPython{{"recipes", {"toy-python"}}};

TEST(RecipeRun, ItsFolderItsFormatAndItsLogFileServe) {
    Lab lab;
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan({}, toyInPython)));
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.throughput, 16.0) << "8 images in half a second";
    EXPECT_EQ(run.format, "toy-steps");
    const std::string log = lab.log(run, 0);
    EXPECT_THAT(log, HasSubstr("begins\n"));
    EXPECT_THAT(log, HasSubstr("step 20 took 0.5 s\n")) << "the last line of the file is there";
    EXPECT_THAT(slurp(run.path / "run.json"), HasSubstr("\"python\": \"Python 3")) << "the trainer's";
    // Whoever measures the log again needs no recipe.
    EXPECT_THAT(slurp(run.path / "format.json"), HasSubstr("toy-steps"));
    EXPECT_THAT(slurp(lab.workspace.formats()), HasSubstr("toy-steps"));
}

TEST(RecipeRun, AFormatOfTheWorkspaceServes) {
    Lab lab;
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan({}, toyInPython))).exitCode, 0) << "keeps its format";
    const auto own = lab.root / "own";
    std::filesystem::create_directories(own);
    std::filesystem::copy(std::string(DLPERF_SOURCE_DIR) + "/tests/run/recipes/toy-python", own / "bare");
    std::filesystem::remove(own / "bare/format.json");
    const auto plan = lab.plan({}, {{"recipes", {"bare"}}});
    const std::vector<std::string> arguments{"run",        plan.string(), "--recipes",
                                             own.string(), "--workspace", lab.workspace.root().string()};
    const Ended ended = lab.dlperf(arguments);
    ASSERT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(lab.runs().at(0).throughput, 16.0);
}

TEST(RecipeRun, WhatANodeLacksStopsItUnlessItIsRunAnyway) {
    Lab lab;
    const auto plan = lab.plan({{"python", "/no/such/python"}}, toyInPython);
    const Ended refused = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.errors, HasSubstr("/no/such/python does not serve"));
    EXPECT_TRUE(lab.runs().empty());
    const Ended anyway = lab.dlperf(lab.runArguments(plan, {"--anyway"}));
    EXPECT_EQ(anyway.exitCode, 0) << anyway.errors;
    EXPECT_THAT(anyway.errors, HasSubstr("/no/such/python does not serve")) << "it is warned of";
    EXPECT_EQ(lab.runs().at(0).throughput, 16.0);
}

}  // namespace
}  // namespace dlperf::run
