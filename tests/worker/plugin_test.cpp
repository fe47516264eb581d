// SPDX-License-Identifier: Apache-2.0
// The program and the library for GPUs that it loads, where that is missing, broken, stale or fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "jpeg_files.h"
#include "process.h"

namespace dlperf::worker::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Ended runWith(const std::string& plugin, std::vector<std::string> options,
              const Process::Variables& more = {}) {
    std::vector<std::string> command = {DLPERF_WORKER, "--image-size", "32", "--batch-size",
                                        "1",           "--iterations", "1"};
    command.insert(command.end(), options.begin(), options.end());
    Process::Variables variables = {{"DLPERF_WORKER_CUDA", plugin}};
    variables.insert(variables.end(), more.begin(), more.end());
    return run(command, variables);
}

void expectRefused(const Ended& ended, const std::string& why) {
    EXPECT_EQ(ended.code, 7);
    EXPECT_THAT(ended.err, HasSubstr(why));
}

TEST(Plugin, WithoutOneAutoTakesTheCpuAndCudaIsRefused) {
    const TemporaryFolder folder;
    const std::string missing = folder.path() + "/none.so";
    EXPECT_THAT(runWith(missing, {}).out, HasSubstr("# backend: cpu"));
    expectRefused(runWith(missing, {"--backend", "cuda"}), "none.so is missing; use --backend cpu");
    EXPECT_THAT(runWith(missing, {"--version"}).out,
                HasSubstr("CUDA backend: there is no CUDA backend here"));
}

TEST(Plugin, WhatIsNoLibraryIsSaid) {
    const TemporaryFolder folder;
    const std::string text = folder.path() + "/text.so";
    std::ofstream(text) << "not a library";
    expectRefused(runWith(text, {"--backend", "cuda"}), "the CUDA backend cannot be loaded");
}

TEST(Plugin, AnotherLibraryIsNotTaken) {
    expectRefused(runWith(DLPERF_OTHER_LIBRARY, {"--backend", "cuda"}),
                  "is not a CUDA backend of dlperf-worker");
}

TEST(Plugin, OneOfOtherSourcesIsNotTaken) {
    expectRefused(
        runWith(DLPERF_FAKE_PLUGIN, {"--backend", "cuda"}, {{"DLPERF_FAKE_VERSION", "0.0.1 of another day"}}),
        "was built of other sources than this program (0.0.1 of another day, not ");
}

// The failure is thrown in the library and caught in the program.
TEST(Plugin, AGpuThatFailsIsNoReasonToFallBackToTheCpu) {
    for (const char* backend : {"auto", "cuda"}) {
        const Ended ended = runWith(DLPERF_FAKE_PLUGIN, {"--backend", backend});
        EXPECT_EQ(ended.code, 5);
        EXPECT_EQ(ended.err, "dlperf-worker: the pretended GPU has no memory\n");
        EXPECT_EQ(ended.out, "");
    }
    EXPECT_EQ(runWith(DLPERF_FAKE_PLUGIN, {"--backend", "cpu"}).code, 0);
}

// Before it is tried to make a backend, which would fail for another reason.
TEST(Plugin, DecodingOnAGpuThatCannotIsRefusedAtOnce) {
    const TemporaryFolder folder;
    writeColourClasses(folder.path(), 1, 1);
    const std::vector<std::string> options{"--decode", "gpu", "--data", folder.path()};
    const Ended refused = runWith(DLPERF_FAKE_PLUGIN, options);
    EXPECT_EQ(refused.code, 7);
    EXPECT_EQ(refused.err, "dlperf-worker: the pretended GPU cannot decode images\n");
    expectRefused(runWith(folder.path() + "/none.so", options), "use --decode host");
    // Where nothing is to be decoded nothing is missing.
    EXPECT_EQ(runWith(folder.path() + "/none.so", {"--decode", "gpu"}).code, 0);
    const Ended onHost = runWith(folder.path() + "/none.so", {"--data", folder.path()});
    EXPECT_EQ(onHost.code, 0);
    EXPECT_THAT(onHost.out, HasSubstr("# decode: host\n"));
}

// One of two.
Process::Variables rankWith(const std::string& plugin, int rank, const std::string& port) {
    Process::Variables variables = rankOf(rank, 2, port);
    variables.emplace_back("DLPERF_WORKER_CUDA", plugin);
    return variables;
}

// Else they would learn no more than that it is gone.
TEST(Plugin, ARankThatEndsByADefectTellsTheOthersWhich) {
    const TemporaryFolder folder;
    const std::string port = freePort();
    const std::vector<std::string> command = {DLPERF_WORKER, "--image-size", "32", "--batch-size", "2"};
    Process waiting(command, rankWith(folder.path() + "/none.so", 0, port));
    auto variables = rankWith(DLPERF_FAKE_PLUGIN, 1, port);
    variables.emplace_back("DLPERF_FAKE_DEFECT", "a pretended defect");
    Process failing(command, variables);
    expectEnd(failing, 1, HasSubstr("unexpected error: a pretended defect"));
    expectEnd(waiting, 6, HasSubstr("rank 1 failed: a pretended defect"));
}

// Links

std::vector<std::string> linksOn(int processes, std::vector<std::string> more = {}) {
    std::vector<std::string> command = {DLPERF_WORKER, "--measure", "links", "--devices",
                                        std::to_string(processes)};
    command.insert(command.end(), more.begin(), more.end());
    return command;
}

Process::Variables pretendedGpus(const char* count) {
    return {{"DLPERF_WORKER_CUDA", DLPERF_FAKE_PLUGIN}, {"DLPERF_FAKE_GPUS", count}};
}

TEST(Links, AreThoseOfTheGpusWhereEachProcessHasOne) {
    Process process(linksOn(3), pretendedGpus("3"));
    ASSERT_EQ(process.wait(), 0) << process.err();
    const std::string out = process.out();
    EXPECT_THAT(out, HasSubstr("# comm: nccl 2.0.0, from GPU to GPU\n"));
    // 1 ms, and 4/3 of so many bytes in so much time.
    EXPECT_THAT(out, HasSubstr("all-reduce bytes 1048576 "));
    EXPECT_THAT(out, HasSubstr(" median 0.002048576 s bandwidth 0.682475 GB/s\n"));
    EXPECT_THAT(out, HasSubstr("links latency 0.001000004 s bandwidth 1.320417 GB/s at 102228128 bytes\n"));
    EXPECT_THAT(out, HasSubstr("# left out: the ring, as NCCL does not tell"));
    EXPECT_THAT(out, Not(HasSubstr("ring from ")));
}

TEST(Links, AreThoseOfTheHostsWhereProcessesShareAGpu) {
    Process process(linksOn(2), pretendedGpus("1"));
    ASSERT_EQ(process.wait(), 0) << process.err();
    EXPECT_THAT(process.out(), HasSubstr("# comm: gloo, by way of the hosts\n"));
}

TEST(Links, AreThoseOfTheHostsWhereThatIsAsked) {
    Process byComm(linksOn(2, {"--comm", "gloo"}), pretendedGpus("2"));
    ASSERT_TRUE(byComm.waitForOutput("# comm: ")) << byComm.err();
    EXPECT_THAT(byComm.out(), HasSubstr("# comm: gloo, by way of the hosts\n"));
    Process byBackend(linksOn(2, {"--backend", "cpu"}), pretendedGpus("2"));
    ASSERT_TRUE(byBackend.waitForOutput("# comm: ")) << byBackend.err();
    EXPECT_THAT(byBackend.out(), HasSubstr("# comm: gloo, by way of the hosts\n"));
}

// Of two nodes one has no GPU.
TEST(Links, AreThoseOfTheHostsWhereOneProcessHasNoGpu) {
    const TemporaryFolder folder;
    const std::string none = folder.path() + "/none.so";
    const auto with = [](const char* comm) {
        return std::vector<std::string>{DLPERF_WORKER, "--measure", "links", "--comm", comm};
    };
    {
        const std::string port = freePort();
        Process first(with("auto"), rankWith(DLPERF_FAKE_PLUGIN, 0, port));
        const Process second(with("auto"), rankWith(none, 1, port));
        ASSERT_TRUE(first.waitForOutput("# comm: ")) << first.err();
        EXPECT_THAT(first.out(), HasSubstr("# comm: gloo, by way of the hosts\n"));
    }
    const std::string port = freePort();
    Process first(with("nccl"), rankWith(DLPERF_FAKE_PLUGIN, 0, port));
    const Process second(with("nccl"), rankWith(none, 1, port));
    expectEnd(first, 7, HasSubstr("not every process has a GPU and NCCL; use --comm gloo"));
}

}  // namespace
}  // namespace dlperf::worker::test
