// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/checks.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace dlperf::cluster {
namespace {

using testing::HasSubstr;

Node localNode() {
    return thisMachine().nodes.front();
}

NodeFacts healthy() {
    NodeFacts facts;
    facts.cores = 8;
    facts.load = 0.5;
    facts.workDir = "/home/me/dlperf";
    facts.workDirWritable = true;
    facts.freeBytes = 812'000'000'000;
    facts.sharedMemoryBytes = 8'000'000'000;
    facts.lockedMemory = "unlimited";
    return facts;
}

const Check* find(const std::vector<Check>& checks, const std::string& title) {
    const auto found = std::ranges::find(checks, title, &Check::title);
    return found == checks.end() ? nullptr : &*found;
}

TEST(Checks, AHealthyNodePassesAll) {
    for (const Check& check : checkNode(localNode(), healthy())) {
        EXPECT_EQ(check.verdict, Verdict::Passed) << check.title;
        EXPECT_FALSE(check.summary.empty()) << check.title;
    }
}

// Whatever does not pass says why it matters and what to do, with something to copy.
TEST(Checks, WhatDoesNotPassSaysWhatToDo) {
    NodeFacts facts = healthy();
    facts.workDirWritable = false;
    facts.setupFailed = true;
    facts.setupSaid = "no such environment";
    facts.dataDirExists = false;
    facts.governor = "powersave";
    facts.load = 7;
    facts.cpuQuota = 2.5;
    facts.sharedMemoryBytes = 67'108'864;
    facts.infiniband = {"mlx5_0: 4: ACTIVE, 100 Gb/sec"};
    facts.infinibandWithoutDriver = {"mlx5_0"};
    facts.lockedMemory = "64";
    Node node = localNode();
    node.setup = "conda activate x";
    node.dataDir = "/data";
    const auto checks = checkNode(node, facts);
    EXPECT_EQ(checks.size(), 9U);
    for (const Check& check : checks) {
        EXPECT_NE(check.verdict, Verdict::Passed) << check.title;
        EXPECT_FALSE(check.explanation.empty()) << check.title;
        EXPECT_FALSE(check.remedy.empty()) << check.title;
        EXPECT_FALSE(check.command.empty()) << check.title;
    }
    EXPECT_EQ(checks.front().verdict, Verdict::Failed);
    EXPECT_EQ(find(checks, "Setup")->evidence, "no such environment");
}

TEST(Checks, GpusAreLookedAtWhereThereAreAny) {
    NodeFacts facts = healthy();
    facts.gpus = {{"V100", "16160 MiB", "1530 MHz", "Enabled", "[N/A]", "Enabled", "GPU-0"},
                  {"V100", "16160 MiB", "1530 MHz", "Enabled", "[N/A]", "Disabled", "GPU-1"}};
    facts.gpuProcesses = {{"GPU-1", "4711", "python3"}};
    auto checks = checkNode(localNode(), facts);
    EXPECT_EQ(find(checks, "Processors idle"), nullptr);
    EXPECT_THAT(find(checks, "Devices idle")->evidence, HasSubstr("4711"));
    EXPECT_EQ(find(checks, "GPU modes")->command, "sudo nvidia-smi -pm 1");
    facts.gpus[0].mig = "Enabled";
    checks = checkNode(localNode(), facts);
    EXPECT_EQ(find(checks, "GPU modes")->command, "sudo nvidia-smi -mig 0");
}

TEST(Checks, WhatAPlanNeedsIsLookedFor) {
    NodeFacts facts = healthy();
    const Needs needs{{"python3", "mpirun"}, 2, false};
    EXPECT_EQ(find(checkNode(localNode(), facts, needs), "Commands"), nullptr);  // nobody could look
    facts.missingCommands.emplace();
    EXPECT_EQ(find(checkNode(localNode(), facts, needs), "Commands")->verdict, Verdict::Passed);
    facts.missingCommands->push_back("mpirun");
    const auto checks = checkNode(localNode(), facts, needs);
    EXPECT_EQ(find(checks, "Commands")->summary, "mpirun is missing");
    EXPECT_TRUE(find(checks, "Commands")->stopsRun);
    EXPECT_EQ(find(checks, "GPUs"), nullptr);  // without GPUs a device is a process
    facts.gpus.resize(1);
    EXPECT_EQ(find(checkNode(localNode(), facts, needs), "GPUs")->summary, "1 of 2");
    EXPECT_EQ(find(checkNode(localNode(), facts, {}), "GPUs")->verdict, Verdict::Passed);
}

TEST(Checks, MoreThreadsThanCoresAreWarnedOf) {
    Needs needs;
    needs.threads = 16;
    const auto checks = checkNode(localNode(), healthy(), needs);
    const Check* threads = find(checks, "Threads");
    ASSERT_NE(threads, nullptr);
    EXPECT_EQ(threads->verdict, Verdict::Warning);
    EXPECT_FALSE(threads->stopsRun);
    EXPECT_EQ(threads->summary, "16 compute on 8 cores");
    needs.threads = 8;
    EXPECT_EQ(find(checkNode(localNode(), healthy(), needs), "Threads")->verdict, Verdict::Passed);
    EXPECT_EQ(find(checkNode(localNode(), healthy()), "Threads"), nullptr) << "nobody says how many";
}

TEST(Checks, OnlyWhatMakesARunImpossibleStopsIt) {
    NodeFacts facts = healthy();
    facts.setupFailed = true;
    facts.infiniband = {"mlx5_0: 4: ACTIVE"};
    facts.infinibandWithoutDriver = {"mlx5_0"};
    facts.freeBytes = 1'000'000'000;
    facts.dataDirEmpty = true;
    Node node = localNode();
    node.setup = "false";
    for (const Check& check : checkNode(node, facts)) {
        EXPECT_FALSE(check.stopsRun) << check.title;
    }
    EXPECT_EQ(find(checkNode(node, facts), "InfiniBand")->verdict, Verdict::Warning);
    facts.freeBytes = 1000;
    EXPECT_TRUE(checkNode(node, facts).front().stopsRun);
    EXPECT_EQ(checkNode(node, facts).front().summary, "0.0 GB free in " + node.workDir);
    facts.workDirWritable = false;
    EXPECT_TRUE(checkNode(node, facts).front().stopsRun);
    EXPECT_TRUE(notReached({"x", "y", "z"}).stopsRun);
}

// As of a node whose df is not there: no false alarm, and no room that nobody has seen.
TEST(Checks, WhatWasNotSaidIsNotTakenForNothing) {
    NodeFacts facts = healthy();
    facts.freeBytes.reset();
    facts.sharedMemoryBytes.reset();
    EXPECT_EQ(checkNode(localNode(), facts).front().verdict, Verdict::Passed);
    EXPECT_THAT(checkNode(localNode(), facts).front().summary, HasSubstr("df does not say"));
    EXPECT_EQ(find(checkNode(localNode(), facts), "Shared memory"), nullptr);
}

TEST(Checks, AnEmptyDataFolderIsWarnedOf) {
    NodeFacts facts = healthy();
    facts.dataDir = "/home/u/data";
    facts.dataDirEmpty = true;
    Node node = localNode();
    node.dataDir = "~/data";
    const auto checks = checkNode(node, facts);
    EXPECT_EQ(find(checks, "Data folder")->verdict, Verdict::Warning);
    EXPECT_EQ(find(checks, "Data folder")->summary, "~/data is empty");
    EXPECT_EQ(find(checks, "Data folder")->command, "findmnt -T '/home/u/data'");
}

TEST(Checks, CommandsQuoteWhatANodeSays) {
    NodeFacts facts = healthy();
    facts.workDirWritable = false;
    facts.workDir = "/tmp/it's; rm -rf ~";
    EXPECT_THAT(checkNode(localNode(), facts).front().command, HasSubstr(R"('/tmp/it'\''s; rm -rf ~')"));
}

}  // namespace
}  // namespace dlperf::cluster
