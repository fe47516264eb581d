// SPDX-License-Identifier: Apache-2.0
// The sampler beside the trainer: what it writes comes home, and it ends with the run whatever ends the run.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/node_script.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// A program in the PATH of the nodes, as all nodes are this machine.
void addProgram(Lab& lab, const std::string& name, const std::string& text) {
    const auto folder = lab.root / "programs";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / name) << text;
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
    lab.environment["PATH"] = folder.string() + ":" + std::getenv("PATH");
}

// A run whose trainer writes until it is stopped; it writes already.
pid_t startEndless(Lab& lab) {
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}, {"seconds", "0.1"}})));
    EXPECT_TRUE(lab.waitForLog(0));
    return runner;
}

std::string telemetryOf(const Lab& lab) {
    return slurp(lab.runs().at(0).path / "node0.telemetry.csv");
}

TEST(Telemetry, ComesHomeWhileTheTrainerRuns) {
    Lab lab;
    const pid_t runner = startEndless(lab);
    const auto file = [&] { return telemetryOf(lab); };
    ASSERT_TRUE(eventually([&] { return file().find("host,") != std::string::npos; }));
    EXPECT_THAT(file(), ContainsRegex("host,[0-9]+,[0-9]+,[0-9]+,[0-9]+"));
    ::kill(runner, SIGINT);
    lab.wait(runner);
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Telemetry, AsksTheGpusWhereThereAreSome) {
    Lab lab;
    addProgram(lab, "nvidia-smi", R"sh(#!/bin/bash
case $* in
  *clocks_event*-l*|*compute-apps*) exit 1 ;;
  *clocks_event*) exit 6 ;;
  *-l\ 1) while echo '0, 97, 1410, 391.20, 64, 0x0000000000000004, 70000, 81920'; do sleep 1; done ;;
esac
)sh");
    const pid_t runner = startEndless(lab);
    const auto file = [&] { return telemetryOf(lab); };
    EXPECT_TRUE(eventually([&] { return file().find("gpu,") != std::string::npos; }));
    EXPECT_THAT(file(), HasSubstr(",0, 97, 1410, 391.20, 64, 0x0000000000000004, 70000, 81920\n"));
    ::kill(runner, SIGINT);
    lab.wait(runner);
    EXPECT_TRUE(eventually([&] { return lab.trainers().empty(); }));
}

TEST(Telemetry, CountsWhatGoesByRdma) {
    const test::Folder folder;
    const auto counters = folder.path() / "mlx5_0/ports/1/counters";
    std::filesystem::create_directories(counters);
    std::string script{node_script::telemetry};  // with cards of our own
    const std::string cards = "/sys/class/infiniband";
    for (std::size_t at = 0; (at = script.find(cards, at)) != std::string::npos;) {
        script.replace(at, cards.size(), folder.path().string());
    }
    const auto count = [&](long words) {
        std::ofstream(counters / "port_rcv_data") << words << '\n';
        std::ofstream(counters / "port_xmit_data") << 2 * words << '\n';
    };
    count(1000);
    std::ofstream(folder.path() / "telemetry.sh") << script;
    const auto file = folder.path() / "telemetry.csv";
    const pid_t sampler = ::fork();
    if (sampler == 0) {
        const std::string command =
            "exec bash " + (folder.path() / "telemetry.sh").string() + " $PPID >" + file.string();
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(1);
    }
    long words = 1000;
    EXPECT_TRUE(eventually([&] {
        count(words += 5000);
        return slurp(file).find("link,") != std::string::npos &&
               slurp(file).find(",mlx5_0:1,") != std::string::npos;
    })) << slurp(file);
    ::kill(sampler, SIGKILL);
    ::waitpid(sampler, nullptr, 0);
    EXPECT_THAT(slurp(file), ContainsRegex("link,[0-9]+,mlx5_0:1,[1-9][0-9]*,[1-9][0-9]*\n"));
}

// Runner and wrapper are gone for good: nobody is left who could stop it.
TEST(Telemetry, EndsByItselfWhenItsSupervisorIsGone) {
    Lab lab;
    const pid_t runner = startEndless(lab);
    ::kill(runner, SIGKILL);
    lab.wait(runner);
    const auto isSampler = [](pid_t pid) {
        return slurp("/proc/" + std::to_string(pid) + "/cmdline").find("telemetry.sh") != std::string::npos;
    };
    const auto samplers = [&] {
        auto pids = lab.trainers();
        std::erase_if(pids, [&](pid_t pid) { return !isSampler(pid); });
        return pids;
    };
    ASSERT_EQ(samplers().size(), 1U);
    for (const pid_t pid : lab.trainers()) {
        if (!isSampler(pid)) {
            ::kill(pid, SIGKILL);
        }
    }
    EXPECT_TRUE(eventually([&] { return samplers().empty(); }));
}

}  // namespace
}  // namespace dlperf::run
