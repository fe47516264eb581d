// SPDX-License-Identifier: Apache-2.0
// The program and the library for GPUs that it loads, where that is missing, broken, stale or fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "process.h"

namespace dlperf::worker::test {
namespace {

using ::testing::HasSubstr;

struct Ended {
    int code;
    std::string out;
    std::string err;
};

Ended runWith(const std::string& plugin, std::vector<std::string> options) {
    std::vector<std::string> command = {DLPERF_WORKER, "--image-size", "32", "--batch-size",
                                        "1",           "--iterations", "1"};
    command.insert(command.end(), options.begin(), options.end());
    Process process(command, {{"DLPERF_WORKER_CUDA", plugin}});
    const int code = process.wait();
    return {code, process.out(), process.err()};
}

TEST(Plugin, WithoutOneAutoTakesTheCpuAndCudaIsRefused) {
    const TemporaryFolder folder;
    const std::string missing = folder.path() + "/none.so";
    EXPECT_THAT(runWith(missing, {}).out, HasSubstr("# backend: cpu"));
    const Ended refused = runWith(missing, {"--backend", "cuda"});
    EXPECT_EQ(refused.code, 7);
    EXPECT_THAT(refused.err, HasSubstr("none.so is missing; use --backend cpu"));
    EXPECT_THAT(runWith(missing, {"--version"}).out,
                HasSubstr("CUDA backend: there is no CUDA backend here"));
}

TEST(Plugin, WhatIsNoLibraryIsSaid) {
    const TemporaryFolder folder;
    const std::string text = folder.path() + "/text.so";
    std::ofstream(text) << "not a library";
    const Ended ended = runWith(text, {"--backend", "cuda"});
    EXPECT_EQ(ended.code, 7);
    EXPECT_THAT(ended.err, HasSubstr("the CUDA backend cannot be loaded"));
}

TEST(Plugin, AnotherLibraryIsNotTaken) {
    const Ended ended = runWith(DLPERF_OTHER_LIBRARY, {"--backend", "cuda"});
    EXPECT_EQ(ended.code, 7);
    EXPECT_THAT(ended.err, HasSubstr("is not a CUDA backend of dlperf-worker"));
}

TEST(Plugin, OneOfOtherSourcesIsNotTaken) {
    const Ended ended = runWith(DLPERF_STALE_PLUGIN, {"--backend", "cuda"});
    EXPECT_EQ(ended.code, 7);
    EXPECT_THAT(ended.err,
                HasSubstr("was built of other sources than this program (0.0.1 of another day, not "));
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

}  // namespace
}  // namespace dlperf::worker::test
