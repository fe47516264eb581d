// SPDX-License-Identifier: Apache-2.0
// The sampler beside the trainer: what it writes comes home, and it ends with the run whatever ends the run.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <variant>

#include "core/base/node_script.h"
#include "core/store/results.h"
#include "core/telemetry/samples.h"
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

// Processes of one name that do nothing but work, more of them than there are processors: whatever else runs
// beside the tests, they take most of the time.
class Busy {
public:
    // Of the run with this id; of none.
    Busy(const std::filesystem::path& folder, const std::string& name, const char* runId) {
        const auto program = folder / name;
        std::filesystem::copy_file("/bin/bash", program);
        const std::string variable = "DLPERF_RUN_ID=" + std::string(runId);
        for (pid_t& process : processes_) {
            process = ::fork();
            if (process == 0) {
                ::setsid();  // a kernel may share out its time by sessions
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                ::execl("/usr/bin/env", "env", *runId == '\0' ? "-uDLPERF_RUN_ID" : variable.c_str(),
                        program.c_str(), "-c", "while :; do :; done", nullptr);
                ::_exit(1);
            }
        }
    }
    ~Busy() {
        for (const pid_t process : processes_) {
            ::kill(process, SIGKILL);
            ::waitpid(process, nullptr, 0);
        }
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    std::array<pid_t, 8> processes_{};
};

// telemetry.sh as it runs on a node, below a wrapper of its own, with folders of ours in place of the
// kernel's.
class Sampler {
public:
    explicit Sampler(const std::map<std::string, std::string>& places = {}, const std::string& path = {}) {
        std::string script{node_script::telemetry};
        for (const auto& [from, to] : places) {
            for (std::size_t at = 0; (at = script.find(from, at)) != std::string::npos; at += to.size()) {
                script.replace(at, from.size(), to);
            }
        }
        std::ofstream(folder_.path() / "telemetry.sh") << script;
        process_ = ::fork();
        if (process_ == 0) {
            const std::string command = "exec env PATH=" + path + "$PATH DLPERF_RUN_ID=" + runId + " bash " +
                                        (folder_.path() / "telemetry.sh").string() + " $PPID >" +
                                        file().string();
            ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            ::_exit(1);
        }
    }
    ~Sampler() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }
    [[nodiscard]] std::string lines() const { return slurp(file()); }
    [[nodiscard]] std::vector<telemetry::CpuSample> looks() const { return samples<telemetry::CpuSample>(); }
    [[nodiscard]] double peakMemory() const { return telemetry::peakMemory(file()).process.value_or(0); }
    [[nodiscard]] std::vector<telemetry::AppSample> apps() const { return samples<telemetry::AppSample>(); }

    const std::string runId = "s" + std::to_string(::getpid()) + "/0001";

private:
    [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "telemetry.csv"; }
    template <class Kind>
    [[nodiscard]] std::vector<Kind> samples() const {
        std::vector<Kind> found;
        telemetry::SampleReader().feed(lines(), [&](const telemetry::Sample& sample) {
            if (const auto* one = std::get_if<Kind>(&sample)) {
                found.push_back(*one);
            }
        });
        return found;
    }

    test::Folder folder_;
    pid_t process_ = 0;
};

TEST(Telemetry, CountsWhatGoesByRdma) {
    const test::Folder folder;
    const auto counters = folder.path() / "mlx5_0/ports/1/counters";
    std::filesystem::create_directories(counters);
    const auto count = [&](long words) {
        std::ofstream(counters / "port_rcv_data") << words << '\n';
        std::ofstream(counters / "port_xmit_data") << 2 * words << '\n';
    };
    count(1000);
    const Sampler sampler({{"/sys/class/infiniband", folder.path().string()}});
    long words = 1000;
    EXPECT_TRUE(eventually([&] {
        count(words += 5000);
        return sampler.lines().find("link,") != std::string::npos &&
               sampler.lines().find(",mlx5_0:1,") != std::string::npos;
    })) << sampler.lines();
    EXPECT_THAT(sampler.lines(), ContainsRegex("link,[0-9]+,mlx5_0:1,[1-9][0-9]*,[1-9][0-9]*\n"));
}

TEST(Telemetry, NamesTheProcessesOfOthersAndNotTheRunsOwn) {
    const Turn turn("busy");
    const Sampler sampler;
    const Busy own(sampler.folder(), "own-trainer", sampler.runId.c_str());
    const Busy others(sampler.folder(), "odd,neighbour", "");
    // How much is left to each, other tests decide, and how fast the sampler comes round.
    const auto isNeighbour = [](const telemetry::CpuSample& look) {
        return look.busiest == "odd?neighbour" && look.busy > 0 && look.others > 0;
    };
    EXPECT_TRUE(eventually([&] { return std::ranges::count_if(sampler.looks(), isNeighbour) > 1; }))
        << sampler.lines();
    for (const telemetry::CpuSample& look : sampler.looks()) {
        EXPECT_NE(look.busiest, "own-trainer") << sampler.lines();
        EXPECT_LE(look.others, 2 * look.processors) << sampler.lines();
        EXPECT_EQ(look.processors, ::sysconf(_SC_NPROCESSORS_ONLN));
    }
}

TEST(Telemetry, TellsTheMemoryOfTheRunsLargestProcess) {
    constexpr std::size_t mebibytes = 200;
    const Sampler sampler;
    const std::string hold = "exec env DLPERF_RUN_ID=" + sampler.runId +
                             " python3 -c 'import time; held = b\"x\" * (" +
                             std::to_string(mebibytes << 20U) + "); time.sleep(1000)'";
    const pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
        ::execl("/bin/sh", "sh", "-c", hold.c_str(), nullptr);
        ::_exit(1);
    }
    EXPECT_TRUE(eventually([&] { return sampler.peakMemory() >= mebibytes; })) << sampler.lines();
    EXPECT_LT(sampler.peakMemory(), 2 * mebibytes);
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
}

// In a container the processes of others are not seen, and yet their time is.
TEST(Telemetry, TakesTheRunsOwnTimeFromThatOfAll) {
    const Turn turn("busy");
    const Sampler sampler;
    const Busy own(sampler.folder(), "own-trainer", sampler.runId.c_str());
    // Each of ours is as entitled to a processor as whatever else works here.
    const auto isOurs = [](const telemetry::CpuSample& look) { return look.others < 0.75 * look.processors; };
    EXPECT_TRUE(eventually([&] {
        const auto looks = sampler.looks();
        return looks.size() > 2 && std::ranges::any_of(looks, isOurs);
    })) << sampler.lines();
}

TEST(Telemetry, ReadsClocksHeatAndThrottlingWhereTheKernelTells) {
    const test::Folder kernel;
    const auto write = [&](const std::string& name, long value) {
        std::filesystem::create_directories((kernel.path() / name).parent_path());
        std::ofstream(kernel.path() / name) << value << '\n';
    };
    write("cpu0/cpufreq/scaling_cur_freq", 2'000'000);
    write("cpu1/cpufreq/scaling_cur_freq", 2'200'000);
    write("hwmon0/temp1_input", 99'000);  // a disk's
    write("hwmon1/temp1_input", 71'000);
    std::ofstream(kernel.path() / "hwmon0/name") << "nvme\n";
    std::ofstream(kernel.path() / "hwmon1/name") << "coretemp\n";
    long throttles = 5;
    write("cpu0/thermal_throttle/core_throttle_count", throttles);
    const Sampler sampler(
        {{"/sys/devices/system/cpu", kernel.path().string()}, {"/sys/class/hwmon", kernel.path().string()}});
    EXPECT_TRUE(eventually([&] {
        write("cpu0/thermal_throttle/core_throttle_count", ++throttles);
        const auto looks = sampler.looks();
        return !looks.empty() && looks.back().throttles.value_or(0) > 0;
    })) << sampler.lines();
    EXPECT_EQ(sampler.looks().at(0).clock, 2100);
    EXPECT_EQ(sampler.looks().at(0).temperature, 71);
}

TEST(Telemetry, NamesProcessesOfOthersOnAGpu) {
    const test::Folder programs;
    std::ofstream(programs.path() / "nvidia-smi")
        << R"sh(#!/bin/bash
case $* in
  *compute-apps*) while echo "GPU-b, $PPID" && echo "GPU-b, )sh"
        << ::getpid() << R"sh(" && echo 'GPU-b, 999999999'; do sleep 1; done ;;
  *index,uuid*) printf '0, GPU-a\n1, GPU-b\n' ;;
  *-l\ 1) while echo '1, 97, 1410, 391.20, 64, 0x0, 70000, 81920'; do sleep 1; done ;;
esac
)sh";
    std::filesystem::permissions(programs.path() / "nvidia-smi", std::filesystem::perms::owner_all);
    std::ofstream(programs.path() / "second") << "kthreadd\n";  // of a machine, not of a container
    const Sampler sampler({{"/proc/2/comm", (programs.path() / "second").string()}},
                          programs.path().string() + ":");
    EXPECT_TRUE(eventually([&] { return !sampler.apps().empty(); })) << sampler.lines();
    for (const telemetry::AppSample& app : sampler.apps()) {
        EXPECT_EQ(app.gpu, 1);
        EXPECT_EQ(app.name, std::string(slurp("/proc/self/comm"), 0, slurp("/proc/self/comm").size() - 1));
    }
}

// A real campaign: the second of two runs has somebody beside it.
TEST(Telemetry, TheDisturbedRunOfACampaignSaysByWhom) {
    const Turn turn("busy");
    Lab lab;
    const auto plan = lab.plan({{"seconds", "0.1"}}, {{"repetitions", 2}, {"train", 80}});
    const pid_t runner = lab.start(lab.runArguments(plan));
    ASSERT_TRUE(lab.waitForLog(1));
    {
        const Busy others(lab.root, "odd,neighbour", "");
        ASSERT_TRUE(lab.waitForFinish());
    }
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    const auto stored = store::readResults(lab.workspace);
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored->results.size(), 2U);
    const RunResult& quiet = stored->results[0];
    const RunResult& disturbed = stored->results[1];
    ASSERT_EQ(quiet.noise.size(), 1U);
    ASSERT_EQ(disturbed.noise.size(), 1U);
    EXPECT_TRUE(quiet.noise[0].inRange);
    EXPECT_TRUE(disturbed.noise[0].inRange);
    EXPECT_NE(quiet.noise[0].busiest, "odd?neighbour");
    EXPECT_EQ(disturbed.noise[0].busiest, "odd?neighbour");
    EXPECT_GT(disturbed.noise[0].others.value_or(0), 0.1 * disturbed.noise[0].processors);
    EXPECT_THAT(disturbed.findings,
                testing::Contains(
                    testing::AllOf(testing::Field(&RunFinding::kind, "other-processes"),
                                   testing::Field(&RunFinding::what, HasSubstr("above all odd?neighbour")))));
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
