// SPDX-License-Identifier: Apache-2.0
// One log brought home over SSH, beside `ssh HOST cat LOG`: both from the same private sshd into a file, in
// turns. TMPDIR=/dev/shm leaves the disk out of account, half a gigabyte most of ssh's login.
//
//   bench_remote_log [MEGABYTES [PAIRS]]
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/remote/ssh_transport.h"
#include "core/run/node_log.h"
#include "tests/support/sshd.h"

namespace dlperf::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

void writeLog(const fs::path& path, std::uint64_t bytes) {
    std::ofstream file(path, std::ios::binary);
    for (std::uint64_t number = 1, written = 0; written < bytes; ++number) {
        const std::string line = fmt::format(
            "iteration {} epoch 0 loss 6.9312 time 1.284560 s data 0.000210 s comm 0.044000 s throughput "
            "12.46 "
            "images/s\n",
            number);
        file << line;
        written += line.size();
    }
}

// Megabytes a second, and processor seconds of ours, for one copy.
struct Rate {
    double megabytes = 0;
    double processor = 0;
};

double processorSeconds(int whose) {
    rusage used{};
    ::getrusage(whose, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Rate rateOf(const fs::path& log, const fs::path& copy, int whose, const std::function<bool()>& bring) {
    fs::remove(copy);
    const double before = processorSeconds(whose);
    const auto start = Clock::now();
    const bool brought = bring();
    const std::chrono::duration<double> time = Clock::now() - start;
    if (!brought || fs::file_size(copy) != fs::file_size(log)) {
        fmt::print(stderr, "the copy is not whole\n");
        std::exit(1);
    }
    return {static_cast<double>(fs::file_size(log)) / 1e6 / time.count(), processorSeconds(whose) - before};
}

bool bringBySsh(const fs::path& log, const fs::path& copy) {
    return std::system(fmt::format("ssh box cat {} >{}", shellQuote(log.string()), shellQuote(copy.string()))
                           .c_str()) == 0;
}

bool bringByUs(remote::Transport& transport, const fs::path& log, const fs::path& copy) {
    auto opened = run::LogCopy::open(copy);
    const auto more = opened ? opened->catchUp(transport, log.string(), fs::file_size(log) + 1, {})
                             : Result<bool>(Failure(opened.error()));
    if (!more) {
        fmt::print(stderr, "{}\n", describe(more.error()));
    }
    return more.has_value();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void compare(std::uint64_t bytes, int pairs) {
    // An empty home: what shell files do at a login says nothing of streams.
    const test::Folder home;
    const test::Sshd sshd("SetEnv HOME=" + home.path().string());
    const fs::path log = sshd.folder().path() / "training.log";
    const fs::path copy = sshd.folder().path() / "copy.log";
    writeLog(log, bytes);
    remote::SshTransport transport(sshd.node());
    (void)transport.run({"true", {}}, {});  // a run has logged in long before; ssh logs in for each copy
    fmt::print("{:>4}  {:>12}  {:>12}  {:>6}  {:>12}  {:>12}\n", "pair", "ssh cat MB/s", "dlperf MB/s",
               "ratio", "ssh cpu s", "dlperf cpu s");
    std::vector<double> ratios;
    for (int pair = 1; pair <= pairs; ++pair) {
        const Rate theirs = rateOf(log, copy, RUSAGE_CHILDREN, [&] { return bringBySsh(log, copy); });
        const Rate ours = rateOf(log, copy, RUSAGE_SELF, [&] { return bringByUs(transport, log, copy); });
        ratios.push_back(ours.megabytes / theirs.megabytes);
        fmt::print("{:>4}  {:>12.0f}  {:>12.0f}  {:>6.2f}  {:>12.2f}  {:>12.2f}\n", pair, theirs.megabytes,
                   ours.megabytes, ratios.back(), theirs.processor, ours.processor);
    }
    fmt::print("median ratio {:.2f}\n", median(ratios));
}

}  // namespace
}  // namespace dlperf::bench

int main(int argc, char** argv) {
    const std::uint64_t megabytes = argc > 1 ? std::stoull(argv[1]) : 500;
    dlperf::bench::compare(megabytes * 1'000'000, argc > 2 ? std::stoi(argv[2]) : 5);
    return 0;
}
