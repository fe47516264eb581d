// SPDX-License-Identifier: Apache-2.0
// The largest batch of the bundled worker where a control group limits its memory: found by a search, and by
// the worker alone, run by run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "tests/run/lab.h"
#include "tests/support/control_group.h"

namespace dlperf::run {
namespace {

constexpr int answer = 37;
constexpr int killed = 128 + SIGKILL;

// Without room to swap, for then nothing would run out. Null where none can be made.
std::unique_ptr<test::ControlGroup> memoryGroup(const std::string& bytes) {
    auto group = std::make_unique<test::ControlGroup>(
        "memory",
        test::ControlGroup::Settings{{"memory.limit_in_bytes", bytes},
                                     {"memory.memsw.limit_in_bytes", bytes}},
        test::ControlGroup::Settings{{"memory.max", bytes}, {"memory.swap.max", "0"}});
    return *group ? std::move(group) : nullptr;
}

// The exit code of the worker alone in the group, as the recipe starts it.
int trainAlone(const test::ControlGroup& group, int batchSize) {
    const std::string command = fmt::format(
        "{}; exec {}/bin/dlperf-worker --batch-size {} --iterations 2 --warmup 1 --precision fp32 "
        "--image-size 32 "
        "--classes 10 --threads 1 --backend cpu --devices 1 --nodes 1 --node-rank 0 >/dev/null "
        "2>&1",
        group.join(), DLPERF_BINARY_DIR, batchSize);
    const int status = std::system(("exec bash -c '" + command + "'").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Bytes that a worker takes whom nothing limits.
std::size_t peakOf(int batchSize) {
    const auto group = memoryGroup(std::to_string(std::size_t{1} << 40U));
    EXPECT_EQ(trainAlone(*group, batchSize), 0);
    return group->number({"memory.max_usage_in_bytes", "memory.peak"});
}

TEST(MemoryLimit, TheLargestBatchIsFoundToTheLastImage) {
    if (!memoryGroup("1073741824")) {
        GTEST_SKIP() << "no control group for memory can be made here";
    }
    // Once for the page cache: whoever reads the program first has its pages counted.
    (void)peakOf(1);
    // Between the needs of this batch and of the next one: an image takes 2 MiB, while two runs of the same
    // batch differ by some 100 KiB, for the worker allocates at once, and touches, all that its steps need.
    // Nearer to the first, for from its recipe it takes up to 1 MiB less than from here.
    const std::size_t limit = (3 * peakOf(answer) + peakOf(answer + 1)) / 4;
    const auto group = memoryGroup(std::to_string(limit));
    ASSERT_TRUE(group);
    EXPECT_EQ(trainAlone(*group, answer), 0);
    EXPECT_EQ(trainAlone(*group, answer + 1), killed);

    Lab lab;
    const Json changes{{"recipes", {"dlperf-worker"}},
                       {"batch_sizes", {4}},
                       {"warmup", 1},
                       {"train", 2},
                       {"search", {{"batch_size", Json::object()}}}};
    const auto plan = lab.plan({{"image_size", "32"}, {"classes", "10"}, {"backend", "cpu"}}, changes);
    const auto cluster = lab.cluster(1, {{"setup", group->join()}});
    const Ended ended = lab.dlperf(lab.runArguments(plan, {"--cluster", cluster.string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.output, testing::HasSubstr(fmt::format(
                                  "the largest batch size that fits is {} a device; {} runs out of memory",
                                  answer, answer + 1)));
    const auto runs = lab.runs();
    EXPECT_LE(static_cast<double>(runs.size()), 2 * std::log2(answer));
    for (const RunState& run : runs) {
        const bool fits = run.benchmarkCase.configuration.batchSize <= answer;
        EXPECT_EQ(run.outcome, fits ? Outcome::Ok : Outcome::Oom) << run.id << ": " << run.reason;
    }
}

}  // namespace
}  // namespace dlperf::run
