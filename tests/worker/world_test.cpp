// SPDX-License-Identifier: Apache-2.0
#include "base/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

World worldOf(const std::map<std::string, std::string>& variables) {
    return worldFromEnvironment([&](const char* name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) {
            return std::nullopt;
        }
        return found->second;
    });
}

std::string refusal(const std::map<std::string, std::string>& variables) {
    try {
        worldOf(variables);
        return "";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ExitCode::Usage);
        return failure.what();
    }
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
