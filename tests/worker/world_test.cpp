// SPDX-License-Identifier: Apache-2.0
#include "base/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "failures.h"

namespace dlperf::worker {
namespace {

World worldOf(const std::map<std::string, std::string>& variables) {
    return worldFromEnvironment([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

std::string refusal(const std::map<std::string, std::string>& variables) {
    return failureOf(ExitCode::Usage, [&] { worldOf(variables); });
}

TEST(World, NothingSetIsAloneAndNeedsNothing) {
    const World world = worldOf({});
    EXPECT_EQ(world.rank, 0);
    EXPECT_EQ(world.size, 1);
}

TEST(World, Torchrun) {
    const World world = worldOf({{"RANK", "5"},
                                 {"WORLD_SIZE", "8"},
                                 {"LOCAL_RANK", "1"},
                                 {"LOCAL_WORLD_SIZE", "4"},
                                 {"MASTER_ADDR", "10.0.0.1"},
                                 {"MASTER_PORT", "23456"}});
    EXPECT_EQ(world.rank, 5);
    EXPECT_EQ(world.size, 8);
    EXPECT_EQ(world.localRank, 1);
    EXPECT_EQ(world.localSize, 4);
    EXPECT_EQ(world.masterAddress, "10.0.0.1");
    EXPECT_EQ(world.masterPort, 23456);
}

TEST(World, TorchrunsOwnStoreKeepsItsPort) {
    const World world = worldOf({{"RANK", "1"},
                                 {"WORLD_SIZE", "2"},
                                 {"LOCAL_RANK", "1"},
                                 {"LOCAL_WORLD_SIZE", "2"},
                                 {"MASTER_ADDR", "127.0.0.1"},
                                 {"MASTER_PORT", "23456"},
                                 {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
    EXPECT_EQ(world.masterPort, 23457);
}

TEST(World, OpenMpiOnOneNodeNeedsNoMaster) {
    const World world = worldOf({{"OMPI_COMM_WORLD_RANK", "1"},
                                 {"OMPI_COMM_WORLD_SIZE", "2"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
    EXPECT_EQ(world.rank, 1);
    EXPECT_EQ(world.masterAddress, "127.0.0.1");
}

TEST(World, OpenMpiOnTwoNodesNeedsOne) {
    EXPECT_THAT(refusal({{"OMPI_COMM_WORLD_RANK", "1"},
                         {"OMPI_COMM_WORLD_SIZE", "2"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}}),
                ::testing::HasSubstr("MASTER_ADDR"));
}

TEST(World, SlurmStepFindsItsMaster) {
    const World world = worldOf({{"SLURM_PROCID", "3"},
                                 {"SLURM_STEP_NUM_TASKS", "4"},
                                 {"SLURM_LOCALID", "1"},
                                 {"SLURM_STEP_NODELIST", "n[03-04]"},
                                 {"SLURM_JOB_ID", "12345"}});
    EXPECT_EQ(world.rank, 3);
    EXPECT_EQ(world.masterAddress, "n03");
    EXPECT_EQ(world.masterPort, 22345);
}

TEST(World, SlurmBatchScriptIsOneProcess) {
    EXPECT_EQ(worldOf({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "1"}}).size, 1);
}

TEST(World, TorchrunsVariablesComeFirst) {
    const World world = worldOf({{"RANK", "0"},
                                 {"WORLD_SIZE", "2"},
                                 {"MASTER_ADDR", "a"},
                                 {"PMI_RANK", "7"},
                                 {"PMI_SIZE", "9"},
                                 {"OMPI_COMM_WORLD_RANK", "3"},
                                 {"OMPI_COMM_WORLD_SIZE", "4"}});
    EXPECT_EQ(world.size, 2);
}

TEST(World, AnotherLaunchersLocalSizeStandsInForTorchruns) {
    const std::map<std::string, std::string> torchrun = {
        {"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "a"}};
    const auto localSize = [&torchrun](std::map<std::string, std::string> launcher) {
        launcher.insert(torchrun.begin(), torchrun.end());
        return worldOf(launcher).localSize;
    };
    EXPECT_EQ(localSize({}), 1);
    EXPECT_EQ(localSize({{"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}), 4);
    EXPECT_EQ(localSize({{"PMI_SIZE", "8"}, {"MPI_LOCALNRANKS", "2"}}), 2);
    EXPECT_EQ(localSize({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"}}), 4);
    // A step that started one process on each node, which then started four.
    EXPECT_EQ(localSize({{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_STEP_TASKS_PER_NODE", "1(x2)"}}), 1);
    EXPECT_EQ(localSize({{"OMPI_COMM_WORLD_SIZE", "64"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "32"}}), 1);
}

TEST(World, SlurmStepKnowsItsNodesProcesses) {
    std::map<std::string, std::string> step = {
        {"SLURM_PROCID", "10"}, {"SLURM_STEP_NUM_TASKS", "20"},
        {"SLURM_LOCALID", "2"}, {"SLURM_STEP_TASKS_PER_NODE", "8(x2),4"},
        {"SLURM_NODEID", "1"},  {"MASTER_ADDR", "a"}};
    EXPECT_EQ(worldOf(step).localSize, 8);
    step["SLURM_NODEID"] = "2";
    EXPECT_EQ(worldOf(step).localSize, 4);
    step["SLURM_STEP_TASKS_PER_NODE"] = "many";
    EXPECT_THAT(refusal(step), ::testing::HasSubstr("SLURM_STEP_TASKS_PER_NODE"));
}

TEST(World, ProcessesOnNodesOfSlurmsLists) {
    EXPECT_EQ(tasksOnNode("8", 0), "8");
    EXPECT_EQ(tasksOnNode("8(x2),4", 1), "8");
    EXPECT_EQ(tasksOnNode("8(x2),4", 2), "4");
    EXPECT_EQ(tasksOnNode("3,2(x12),1", 12), "2");
    EXPECT_EQ(tasksOnNode("3,2(x12),1", 13), "1");
}

TEST(World, Contradictions) {
    EXPECT_THAT(refusal({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}}),
                ::testing::HasSubstr("RANK"));
    EXPECT_THAT(refusal({{"RANK", "0"}}), ::testing::HasSubstr("both"));
    EXPECT_THAT(refusal({{"RANK", "x"}, {"WORLD_SIZE", "2"}}), ::testing::HasSubstr("'x'"));
    EXPECT_THAT(refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}}),
                ::testing::HasSubstr("MASTER_PORT"));
}

TEST(World, FirstHostOfSlurmsLists) {
    EXPECT_EQ(firstHostOf("alone"), "alone");
    EXPECT_EQ(firstHostOf("a,b"), "a");
    EXPECT_EQ(firstHostOf("n[03-05,9],m1"), "n03");
    EXPECT_EQ(firstHostOf("a,n[03-05]"), "a");
    EXPECT_EQ(firstHostOf("r[1-2]c-eth,x"), "r1c-eth");
    EXPECT_EQ(firstHostOf("n[7]"), "n7");
}

}  // namespace
}  // namespace dlperf::worker
