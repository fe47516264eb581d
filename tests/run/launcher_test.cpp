// SPDX-License-Identifier: Apache-2.0
// Launchers that start the processes of all nodes: Open MPI's mpirun and MPICH's mpiexec.hydra, for real, on
// nodes that all stand on this machine, so that no SSH is needed. Over SSH: tests/frameworks/run.sh --nodes
// --launcher.
#include <gmock/gmock.h>
#include <csignal>

#include "core/base/text.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Launcher : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        for (const fs::path& program : {fs::path("/usr/bin/mpirun"), fs::path("/usr/bin/mpiexec.hydra"),
                                        fs::path(DLPERF_BINARY_DIR) / "bin/dlperf-worker"}) {
            if (!fs::exists(program)) {  // the build for ThreadSanitizer has no worker
                GTEST_SKIP() << "there is no " << program;
            }
        }
    }

    // `dlperf run` of the bundled worker on two nodes, or on one with two devices.
    std::vector<std::string> arguments(const std::vector<std::string>& topologies,
                                       const std::string& iterations) {
        const fs::path plan =
            lab_.plan({{"launcher", GetParam()}, {"image_size", "32"}, {"classes", "10"}, {"backend", "cpu"}},
                      {{"recipes", {"dlperf-worker"}},
                       {"topologies", topologies},
                       {"batch_sizes", {2}},
                       {"train", *toInt(iterations)}});
        return {"run",       plan.string(), "--workspace", lab_.workspace.root().string(),
                "--cluster", cluster_,      "--grace",     "1"};
    }

    Lab lab_;
    std::string cluster_ =
        lab_.cluster(2, {{"devices", 2}, {"work_dir", (lab_.root / "nodes").string()}}).string();
};

TEST_P(Launcher, GivesEachProcessItsRank) {
    const Ended ended = lab_.dlperf(arguments({"1n1g", "1n2g", "2n1g"}, "6"));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors << ended.output;
    ASSERT_EQ(lab_.runs().size(), 3U);
    for (const RunState& run : lab_.runs()) {
        EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
        EXPECT_GT(run.throughput.value_or(0), 0);
        const int processes = run.benchmarkCase.topology.worldSize();
        EXPECT_THAT(lab_.log(run), HasSubstr("# world_size: " + std::to_string(processes) + "\n"));
        EXPECT_EQ(iterationsOf(lab_.log(run)).size(), 6U) << "one process prints";
        if (GetParam() == "mpirun") {
            EXPECT_THAT(lab_.log(run), HasSubstr("[1,0]<stdout>:iteration 6 ")) << "ranks are told apart";
        }
    }
    EXPECT_TRUE(lab_.trainers().empty());
}

TEST_P(Launcher, LeavesNothingWhenItIsCancelled) {
    const pid_t runner = lab_.start(arguments({"2n1g"}, "100000"));
    ASSERT_TRUE(lab_.waitForLog(0, 600));
    EXPECT_GE(lab_.trainers().size(), 3U) << "the launcher and two workers";
    ::kill(runner, SIGINT);
    (void)lab_.wait(runner);
    EXPECT_EQ(lab_.runs().at(0).outcome, Outcome::Cancelled);
    EXPECT_TRUE(lab_.trainers().empty());
}

TEST_P(Launcher, EndsWithAProcessThatWasKilled) {
    const pid_t runner = lab_.start(arguments({"2n1g"}, "100000"));
    ASSERT_TRUE(lab_.waitForLog(0, 600));
    for (const pid_t trainer : lab_.trainers()) {
        const std::string of = "/proc/" + std::to_string(trainer);
        const std::string variables = slurp(of + "/environ");
        const bool isSecond = variables.find("OMPI_COMM_WORLD_RANK=1") != std::string::npos ||
                              variables.find("PMI_RANK=1") != std::string::npos;
        if (isSecond && slurp(of + "/comm").starts_with("dlperf-worker")) {
            ::kill(trainer, SIGKILL);
        }
    }
    const Ended ended = lab_.wait(runner);
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_EQ(lab_.runs().at(0).outcome, Outcome::Failed);
    EXPECT_THAT(lab_.runs().at(0).reason, HasSubstr("node a: the trainer ended with"));
    if (GetParam() == "mpirun") {  // Hydra names no rank
        EXPECT_THAT(ended.errors + ended.output, HasSubstr("number 1 was the first to fail"));
    }
    EXPECT_TRUE(lab_.trainers().empty());
}

INSTANTIATE_TEST_SUITE_P(Mpi, Launcher, testing::Values("mpirun", "mpiexec.hydra"), [](const auto& name) {
    return std::string(name.param == "mpirun" ? "OpenMpi" : "Mpich");
});

}  // namespace
}  // namespace dlperf::run
