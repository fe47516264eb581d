// SPDX-License-Identifier: Apache-2.0
// A trainer that writes faster than anything reads: the runner takes all of it, in bounded memory.
#include <sys/resource.h>

#include "core/base/file.h"
#include "tests/run/lab.h"
#include "tests/support/sshd.h"

namespace dlperf::run {
namespace {

// Sanitizers keep freed memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long mostMemory = 2'000'000;
#else
constexpr long mostMemory = 120'000;  // KiB; a log of 200 MB comes
#endif

class Flood : public testing::TestWithParam<const char*> {};

TEST_P(Flood, IsTakenWholeInBoundedMemory) {
    const test::Sshd sshd;
    Lab lab;
    const auto cluster = lab.cluster(1, {{"local", false}, {"host", "box"}});
    const auto ended = lab.dlperf(lab.runArguments(lab.plan({{"behaviour", GetParam()}}),
                                                   {"--cluster", cluster.string(), "--keep-node-files"}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    const RunState run = lab.runs().at(0);
    EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
    EXPECT_EQ(run.throughput, 16.0);
    const auto far = lab.root / "nodes/runs" / run.id / "a/log";
    EXPECT_GT(std::filesystem::file_size(far), 200'000'000U);
    const std::string compare = "cmp " + far.string() + " " + (run.path / "node0.log").string();
    EXPECT_EQ(std::system(compare.c_str()), 0);
    rusage used{};
    ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
    EXPECT_LT(used.ru_maxrss, mostMemory) << "KiB, of the largest program";
}

INSTANTIATE_TEST_SUITE_P(Logs, Flood, testing::Values("torrent", "one-line"), [](const auto& kind) {
    return std::string(kind.param) == "torrent" ? "OfLines" : "OfOneLine";
});

}  // namespace
}  // namespace dlperf::run
