// SPDX-License-Identifier: Apache-2.0
// Many logs followed at once, each on a node of its own (one private sshd stands for all): how long a line
// takes from the trainer's write to the copy here, and what it costs.
//
//   bench_remote_follow [NODES [LINES_A_SECOND [SECONDS [POLL_MS]]]]
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/descriptor.h"
#include "core/remote/ssh_transport.h"
#include "core/run/node_monitor.h"
#include "core/run/settings.h"
#include "tests/support/sshd.h"

namespace dlperf::bench {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct Task {
    std::size_t nodes = 64;
    int linesPerSecond = 200;
    int seconds = 20;
    std::chrono::milliseconds poll = run::Settings{}.poll;
};

double secondsOf(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::int64_t nowNs() {
    return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

// One node: its log there, and the copy here that a NodeMonitor keeps up to date.
struct Followed {
    Followed(const test::Sshd& sshd, std::size_t number, std::chrono::milliseconds poll)
        : folder(sshd.folder().path() / fmt::format("node{}", number)) {
        fs::create_directories(folder);
        log.open(folder / "log", std::ios::binary);
        cluster::Node where = sshd.node();
        where.name = fmt::format("node{}", number);
        node = std::make_unique<run::NodeRun>(std::make_shared<remote::SshTransport>(where), where,
                                              launch::NodeLaunch{}, "bench/1");
        node->adopt(folder.string());
        copy = Descriptor(::open((folder / "copy").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644));
        watch = std::make_unique<run::NodeMonitor>(*node, *run::ownIdentity(),
                                                   run::LogCopy::open(folder / "copy").value(), std::nullopt,
                                                   poll, BootClock::time_point::max());
    }

    fs::path folder;
    std::ofstream log;
    Descriptor copy;
    std::uint64_t seen = 0;  // bytes of it
    std::string rest;
    std::unique_ptr<run::NodeRun> node;
    std::unique_ptr<run::NodeMonitor> watch;
};

using Nodes = std::vector<std::unique_ptr<Followed>>;

// Each line begins with when it was written. Returns this thread's processor seconds.
double writeLogs(Nodes& nodes, const Task& task) {
    const auto start = Clock::now();
    for (int line = 0; line < task.seconds * task.linesPerSecond; ++line) {
        std::this_thread::sleep_until(start + line * std::chrono::nanoseconds(1s) / task.linesPerSecond);
        for (const auto& node : nodes) {
            node->log << nowNs() << " iteration " << line << " epoch 0 loss 6.9312 time 0.004984 s\n"
                      << std::flush;
        }
    }
    return secondsOf(CLOCK_THREAD_CPUTIME_ID);
}

void lookAtCopy(Followed& node, std::vector<double>& latencies) {
    if (node.watch->report().logBytes == node.seen) {
        return;
    }
    std::array<char, 64U << 10U> bytes;
    const ssize_t got = ::read(node.copy.get(), bytes.data(), bytes.size());
    if (got <= 0) {
        return;
    }
    const std::int64_t now = nowNs();
    node.seen += static_cast<std::uint64_t>(got);
    node.rest.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = node.rest.find('\n'); end != std::string::npos;
         end = node.rest.find('\n', begin)) {
        latencies.push_back(static_cast<double>(now - std::stoll(node.rest.substr(begin, end - begin))) /
                            1e6);
        begin = end + 1;
    }
    node.rest.erase(0, begin);
}

void report(std::vector<double>& latencies, double processor, const Task& task) {
    std::sort(latencies.begin(), latencies.end());
    const auto at = [&](double share) {
        return latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
    };
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    constexpr std::size_t own = sizeof(double);  // of each line, which no user keeps
    const auto mebibytes = static_cast<double>(used.ru_maxrss) / 1024 -
                           static_cast<double>(latencies.size() * own) / (1U << 20U);
    fmt::print("{:>5}  {:>7}  {:>7}  {:>8}  {:>7}  {:>7}  {:>7}  {:>10}  {:>7}\n", "nodes", "lines/s",
               "poll ms", "lines", "p50 ms", "p99 ms", "max ms", "our cores", "MiB");
    fmt::print("{:>5}  {:>7}  {:>7}  {:>8}  {:>7.0f}  {:>7.0f}  {:>7.0f}  {:>10.2f}  {:>7.0f}\n", task.nodes,
               task.linesPerSecond, task.poll.count(), latencies.size(), at(0.5), at(0.99), at(1),
               processor / task.seconds, mebibytes);
}

void follow(const Task& task) {
    const test::Sshd sshd("MaxSessions 20");
    Nodes nodes;
    for (std::size_t number = 0; number < task.nodes; ++number) {
        nodes.push_back(std::make_unique<Followed>(sshd, number, task.poll));
    }
    const auto made = Clock::now();
    for (const auto& node : nodes) {  // until all are logged in
        while (node->watch->report().lastReached <= made) {
            std::this_thread::sleep_for(20ms);
        }
    }
    const std::size_t expected = task.nodes * static_cast<std::size_t>(task.seconds * task.linesPerSecond);
    std::vector<double> latencies;
    latencies.reserve(expected);
    const double before = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
    const double ownBefore = secondsOf(CLOCK_THREAD_CPUTIME_ID);
    double writer = 0;
    const auto until = Clock::now() + std::chrono::seconds(task.seconds) + 10s;
    {
        const std::jthread thread([&] { writer = writeLogs(nodes, task); });
        while (latencies.size() < expected && Clock::now() < until) {
            for (const auto& node : nodes) {
                lookAtCopy(*node, latencies);
            }
            std::this_thread::sleep_for(5ms);
        }
    }
    const double bench = writer + secondsOf(CLOCK_THREAD_CPUTIME_ID) - ownBefore;
    report(latencies, secondsOf(CLOCK_PROCESS_CPUTIME_ID) - before - bench, task);
    for (const auto& node : nodes) {
        (void)node->watch->stop();
    }
}

}  // namespace
}  // namespace dlperf::bench

int main(int argc, char** argv) {
    dlperf::bench::Task task;
    task.nodes = argc > 1 ? std::stoul(argv[1]) : task.nodes;
    task.linesPerSecond = argc > 2 ? std::stoi(argv[2]) : task.linesPerSecond;
    task.seconds = argc > 3 ? std::stoi(argv[3]) : task.seconds;
    task.poll = argc > 4 ? std::chrono::milliseconds(std::stoi(argv[4])) : task.poll;
    dlperf::bench::follow(task);
    return 0;
}
