// SPDX-License-Identifier: Apache-2.0
// The program as its users see it: its log, its exit codes and what happens when something goes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "bf16_on_cpu.h"
#include "comm/socket.h"
#include "jpeg_files.h"
#include "process.h"

namespace dlperf::worker::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

// The smallest training there is, with `more` options.
std::vector<std::string> worker(std::vector<std::string> more) {
    std::vector<std::string> command = {DLPERF_WORKER, "--image-size", "32", "--batch-size", "2"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

struct Iteration {
    int number;
    int epoch;
    double loss, time, data, comm, throughput;
};

// The iteration lines; every line that is neither one nor a header fails the test. A line is one if writing
// again what was read from it gives the same line.
std::vector<Iteration> iterationsOf(const std::string& log) {
    std::vector<Iteration> iterations;
    for (const std::string& line : linesOf(log)) {
        if (line.starts_with("# ")) {
            continue;
        }
        Iteration it{};
        std::sscanf(line.c_str(),
                    "iteration %d epoch %d loss %lf time %lf s data %lf s comm %lf s throughput %lf",
                    &it.number, &it.epoch, &it.loss, &it.time, &it.data, &it.comm, &it.throughput);
        char again[300];
        std::snprintf(
            again, sizeof again,
            "iteration %d epoch %d loss %.4f time %.6f s data %.6f s comm %.6f s throughput %.2f images/s",
            it.number, it.epoch, it.loss, it.time, it.data, it.comm, it.throughput);
        EXPECT_EQ(line, again) << "not a line of the log";
        iterations.push_back(it);
    }
    return iterations;
}

// "loss 1.2345" of all iterations, as written.
std::vector<std::string> lossesOf(const std::string& log) {
    std::vector<std::string> losses;
    for (const std::string& line : linesOf(log)) {
        const std::size_t at = line.find(" loss ");
        if (at != std::string::npos) {
            losses.push_back(line.substr(at, line.find(" time ") - at));
        }
    }
    return losses;
}

TEST(Program, TheLogIsTheContract) {
    const auto start = std::chrono::steady_clock::now();
    Process process(worker({"--iterations", "4", "--devices", "2", "--classes", "10", "--seed", "7"}),
                    {{"DLPERF_OPT_LAUNCHER", "mpirun"}, {"DLPERF_OPT_BIND_TO", "core"}});
    ASSERT_EQ(process.wait(), 0) << process.err();
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
    const std::string log = process.out();
    const std::vector<std::string> lines = linesOf(log);
    ASSERT_GT(lines.size(), 6U);
    EXPECT_EQ(lines[0], "# dlperf-worker " DLPERF_VERSION);
    EXPECT_THAT(lines, ::testing::Contains(std::string("# ranks: no iteration after the warmup")));
    for (const char* fact :
         {"# backend: cpu", "# precision: fp32", "# batch_size: 2", "# world_size: 2", "# image_size: 32",
          "# data: synthetic", "# seed: 7", "# threads: 1", "# classes: 10", "# asked_backend: auto",
          "# asked_comm: auto", "# asked_launcher: mpirun", "# asked_bind_to: core"}) {
        EXPECT_THAT(lines, ::testing::Contains(std::string(fact)));
    }
    const std::vector<Iteration> iterations = iterationsOf(log);
    ASSERT_EQ(iterations.size(), 4U) << "rank 0 alone writes";
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const Iteration& it = iterations[i];
        EXPECT_EQ(it.number, static_cast<int>(i) + 1);
        EXPECT_EQ(it.epoch, 0);
        EXPECT_NEAR(it.throughput, 4 / it.time, 0.005 + 4 / it.time * 1e-6 / it.time);
        EXPECT_LE(it.data + it.comm, it.time);
        sum += it.time;
    }
    EXPECT_LT(sum, whole.count()) << "iterations are one after another";
    EXPECT_EQ(process.err(), "");
}

// What each rank's iterations were spent on stands below them, and what the slowest one costs all.
TEST(Program, TheRanksTellTheirTimes) {
    Process process(worker({"--iterations", "8", "--warmup", "3", "--devices", "2", "--classes", "10"}));
    ASSERT_EQ(process.wait(), 0) << process.err();
    const std::vector<std::string> lines = linesOf(process.out());
    ASSERT_GT(lines.size(), 4U);
    EXPECT_EQ(lines[lines.size() - 4], "# ranks: means of iterations 4 to 8");
    std::array<double, 2> comm{};
    double first = 0;
    for (int rank = 0; rank < 2; ++rank) {
        int number = -1;
        double compute = 0;
        double data = 0;
        ASSERT_EQ(std::sscanf(lines[lines.size() - 3 + static_cast<std::size_t>(rank)].c_str(),
                              "# rank %d: compute %lf s data %lf s comm %lf s", &number, &compute, &data,
                              &comm.at(static_cast<std::size_t>(rank))),
                  4);
        EXPECT_EQ(number, rank);
        EXPECT_GT(compute, 0);
        first = rank == 0 ? compute + data + comm[0] : first;
    }
    double sum = 0;
    const std::vector<Iteration> iterations = iterationsOf(process.out());
    for (std::size_t i = 3; i < 8; ++i) {
        sum += iterations.at(i).time;
    }
    EXPECT_NEAR(first, sum / 5, 3e-6) << "the parts are the whole";
    double exchange = 0;
    ASSERT_EQ(std::sscanf(lines.back().c_str(), "# exchange: %lf s", &exchange), 1);
    EXPECT_GT(exchange, 0);
    EXPECT_LE(exchange, std::min(comm[0], comm[1]) + 1e-6);

    Process brief(worker({"--iterations", "3", "--warmup", "3", "--classes", "10"}));
    ASSERT_EQ(brief.wait(), 0);
    EXPECT_EQ(linesOf(brief.out()).back(), "# ranks: no iteration after the warmup")
        << "nothing was measured";
}

struct AllReduce {
    unsigned long bytes = 0;
    unsigned long repetitions = 0;
    double median = 0, bandwidth = 0;
};

// A line is one if writing again what was read from it gives the same line.
std::vector<AllReduce> allReducesOf(const std::string& log) {
    std::vector<AllReduce> found;
    for (const std::string& line : linesOf(log)) {
        if (!line.starts_with("all-reduce ")) {
            continue;
        }
        AllReduce one;
        std::sscanf(line.c_str(), "all-reduce bytes %lu repetitions %lu median %lf s bandwidth %lf",
                    &one.bytes, &one.repetitions, &one.median, &one.bandwidth);
        char again[200];
        std::snprintf(again, sizeof again,
                      "all-reduce bytes %lu repetitions %lu median %.9f s bandwidth %.6f GB/s", one.bytes,
                      one.repetitions, one.median, one.bandwidth);
        EXPECT_EQ(line, again) << "not a line of the log";
        found.push_back(one);
    }
    return found;
}

// Bandwidth is that of nccl-tests, whatever the number of ranks.
TEST(Program, ItMeasuresLinksInsteadOfTraining) {
    for (const int ranks : {2, 3}) {
        Process process({DLPERF_WORKER, "--measure", "links", "--devices", std::to_string(ranks)});
        ASSERT_EQ(process.wait(), 0) << process.err();
        const std::vector<std::string> lines = linesOf(process.out());
        EXPECT_THAT(lines, ::testing::Contains("# world_size: " + std::to_string(ranks)));
        EXPECT_THAT(lines, ::testing::Contains("# comm: gloo, by way of the hosts"));
        const std::vector<AllReduce> sizes = allReducesOf(process.out());
        ASSERT_EQ(sizes.size(), 9U) << "rank 0 alone writes, and nothing is left out on one machine";
        EXPECT_EQ(sizes.front().bytes, 4U);
        EXPECT_EQ(sizes.back().bytes, 25'557'032U * 4) << "ResNet50's gradients";
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            EXPECT_GE(sizes[i].repetitions, 3U);
            EXPECT_GT(sizes[i].median, 0);
            EXPECT_NEAR(
                sizes[i].bandwidth,
                2.0 * (ranks - 1) / ranks * static_cast<double>(sizes[i].bytes) / sizes[i].median / 1e9,
                1e-6 + sizes[i].bandwidth * 1e-4);
            EXPECT_TRUE(i == 0 || sizes[i].bytes > sizes[i - 1].bytes);
        }
        for (int from = 0; from < ranks; ++from) {
            const std::string start =
                "ring from " + std::to_string(from) + " to " + std::to_string((from + 1) % ranks) + " bytes ";
            EXPECT_EQ(std::ranges::count_if(lines, [&](const auto& line) { return line.starts_with(start); }),
                      ranks == 2 ? 0 : 1)
                << start;
        }
        double latency = 0;
        double bandwidth = 0;
        ASSERT_EQ(
            std::sscanf(lines.back().c_str(), "links latency %lf s bandwidth %lf GB/s", &latency, &bandwidth),
            2)
            << lines.back();
        EXPECT_DOUBLE_EQ(latency, sizes.front().median);
        EXPECT_DOUBLE_EQ(bandwidth, sizes.back().bandwidth);
    }
}

// "read files 3 bytes 3000 …": the numbers of the line behind these words.
std::vector<double> readingOf(const std::string& out) {
    for (const std::string& line : linesOf(out)) {
        std::vector<double> numbers(7);
        int used = 0;
        if (std::sscanf(
                line.c_str(),
                "read files %lf bytes %lf seconds %lf speed %lf MB/s cached %lf unknown %lf unreadable "
                "%lf of %n",
                &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5], &numbers[6],
                &used) == 7 &&
            used > 0) {
            return numbers;
        }
    }
    return {};
}

TEST(Program, ItReadsEveryFileOfAFolderOnce) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() + "/a/b");
    ASSERT_EQ(::mkfifo((folder.path() + "/a/pipe").c_str(), 0600), 0);
    for (const char* name : {"one", "a/two", "a/b/three \n four"}) {
        std::ofstream(folder.path() + "/" + name) << std::string(3'000'000, 'x');
    }
    std::ofstream(folder.path() + "/empty");
    Process process(
        {DLPERF_WORKER, "--measure", "data", "--data", folder.path(), "--seconds", "600", "--workers", "3"});
    ASSERT_EQ(process.wait(), 0) << process.err();
    const std::vector<double> reading = readingOf(process.out());
    ASSERT_EQ(reading.size(), 7U) << process.out();
    EXPECT_EQ(reading[0], 4);
    EXPECT_EQ(reading[1], 9'000'000);
    EXPECT_NEAR(reading[3], reading[1] / reading[2] / 1e6, 0.001 + reading[3] * 1e-3);
    EXPECT_LE(reading[4] + reading[5], 3);
    EXPECT_EQ(reading[6], 0) << "a pipe is no file";
    EXPECT_THAT(process.out(), HasSubstr("# no images: "));
}

TEST(Program, ItMeasuresHowFastImagesArePrepared) {
    const TemporaryFolder folder;
    writeColourClasses(folder.path(), 3, 4);
    Process process({DLPERF_WORKER, "--measure", "data", "--data", folder.path(), "--seconds", "1",
                     "--image-size", "32"});
    ASSERT_EQ(process.wait(), 0) << process.err();
    EXPECT_GT(readingOf(process.out()).at(1), 0);
    double images = 0;
    double seconds = 0;
    double speed = 0;
    ASSERT_EQ(std::sscanf(linesOf(process.out()).back().c_str(), "images %lf seconds %lf speed %lf images/s",
                          &images, &seconds, &speed),
              3)
        << process.out();
    EXPECT_GE(seconds, 0.5);
    EXPECT_NEAR(speed, images / seconds, 0.01 + speed * 1e-3);
}

TEST(Program, SameSeedSameLossesToTheBit) {
    const auto run = [](const std::string& seed, const std::vector<std::string>& more) {
        std::vector<std::string> options = {"--iterations", "3", "--seed", seed, "--lr", "0.01"};
        options.insert(options.end(), more.begin(), more.end());
        Process process(worker(options));
        EXPECT_EQ(process.wait(), 0) << process.err();
        return lossesOf(process.out());
    };
    std::vector<std::vector<std::string>> ways{{"--threads", "2"}, {"--devices", "2", "--bucket-mb", "1"}};
    if (cpuHasBf16()) {
        ways.push_back({"--precision", "bf16"});
    }
    for (const std::vector<std::string>& more : ways) {
        const auto losses = run("3", more);
        EXPECT_EQ(losses.size(), 3U);
        EXPECT_EQ(losses, run("3", more));
    }
    EXPECT_NE(run("3", {}), run("4", {}));
}

TEST(Program, Bf16IsRefusedWhereTheCpuHasNoAvx512) {
    Process process(worker({"--iterations", "1", "--precision", "bf16", "--backend", "cpu"}));
    EXPECT_EQ(process.wait(), cpuHasBf16() ? 0 : 7);
    EXPECT_THAT(process.err(), HasSubstr(cpuHasBf16() ? "" : "bf16 needs AVX-512"));
}

TEST(Program, ItLearnsTheImagesOfAFolder) {
    const TemporaryFolder folder;
    writeColourClasses(folder.path(), 3, 4);
    Process process({DLPERF_WORKER, "--data", folder.path(), "--classes", "3", "--image-size", "32",
                     "--batch-size", "12", "--iterations", "20", "--lr", "0.01", "--workers", "2"});
    ASSERT_EQ(process.wait(), 0) << process.err();
    const std::vector<Iteration> iterations = iterationsOf(process.out());
    ASSERT_EQ(iterations.size(), 20U);
    EXPECT_EQ(iterations[19].epoch, 19);
    EXPECT_GT(iterations[0].loss, 0.8);
    EXPECT_LT(iterations[19].loss, iterations[0].loss / 5);
}

TEST(Program, EveryBadInputHasItsMessageAndCode) {
    const TemporaryFolder folder;
    const std::string empty = folder.path() + "/empty";
    const std::string broken = folder.path() + "/broken";
    std::filesystem::create_directories(empty);
    writeColourClasses(broken, 1, 1);
    std::filesystem::resize_file(broken + "/class0/0.jpg", 900);
    const struct {
        std::vector<std::string> options;
        int code;
        std::string message;
    } refusals[] = {
        {{"--batch-size", "0"}, 2, "--batch-size must be"},
        {{"--image-size", "33"}, 2, "multiple of 32"},
        {{"--bogus", "1"}, 2, "unknown option '--bogus'"},
        {{"--measure", "links"}, 2, "needs two processes"},
        {{"--measure", "data"}, 2, "needs --data"},
        {{"--measure", "data", "--data", folder.path() + "/none"}, 4, "No such file or directory"},
        {{"--measure", "data", "--data", empty}, 4, "has no files"},
        {{"--nodes", "2"}, 2, "MASTER_ADDR"},
        {{"--data", folder.path() + "/none"}, 4, "No such file or directory"},
        {{"--data", empty}, 4, "no images"},
        {{"--data", broken, "--iterations", "1"}, 4, "0.jpg"},
        {{"--batch-size", "1000000"}, 5, "--batch-size"},
        {{"--backend", "cuda"}, 7, "use --backend cpu"},
    };
    for (const auto& refusal : refusals) {
        const Ended ended = run(worker(refusal.options));
        EXPECT_EQ(ended.code, refusal.code) << refusal.message;
        EXPECT_THAT(ended.err, AllOf(HasSubstr("dlperf-worker: "), HasSubstr(refusal.message)));
        EXPECT_EQ(linesOf(ended.err).size(), 1U) << ended.err;
        EXPECT_EQ(iterationsOf(ended.out).size(), 0U);
    }
}

TEST(Program, HelpAndVersionGoToStandardOutput) {
    for (const auto& [option, text] : {std::pair("--help", "--comm-timeout S"),
                                       std::pair("--version", "dlperf-worker " DLPERF_VERSION "\n")}) {
        const Ended ended = run({DLPERF_WORKER, option});
        EXPECT_EQ(ended.code, 0);
        EXPECT_THAT(ended.out, HasSubstr(text));
    }
}

TEST(Program, ALogThatCannotBeWrittenEndsIt) {
    Process process(
        {"/bin/sh", "-c", "exec \"$0\" --image-size 32 --batch-size 2 >/dev/full", DLPERF_WORKER});
    expectEnd(process, 8, HasSubstr("cannot write the log"));
}

TEST(Program, APortInUseIsSaidAtOnce) {
    const FileDescriptor taken = listenAt("127.0.0.1", 0);
    const std::string port = std::to_string(portOf(taken));
    Process launcher(worker({"--devices", "2"}), {{"MASTER_PORT", port}});
    expectEnd(launcher, 3, HasSubstr("port is in use"));
    Process rank(worker({}), rankOf(0, 2, port));
    expectEnd(rank, 3, HasSubstr("port is in use"));
}

TEST(Program, AnAbsentPeerIsNamedAfterTheTimeout) {
    const std::string port = freePort();
    Process zero(worker({"--comm-timeout", "1"}), rankOf(0, 2, port));
    expectEnd(zero, 3, HasSubstr("rank 1 of 2 did not come within 1 s"));
    Process one(worker({"--comm-timeout", "1"}), rankOf(1, 2, port));
    expectEnd(one, 3, HasSubstr("cannot reach rank 0"));
}

TEST(Program, RanksThatWereStartedDifferentlyRefuseEachOther) {
    auto [zero, one] = startRanks(worker({"--lr", "0.1", "--comm-timeout", "20"}),
                                  worker({"--lr", "0.2", "--comm-timeout", "20"}));
    EXPECT_EQ(zero.wait(), 3);
    EXPECT_EQ(one.wait(), 3);
    EXPECT_THAT(zero.err() + one.err(), HasSubstr("was started differently"));
}

// A folder that was copied in part to one of the nodes.
TEST(Program, RanksWithOtherImagesSayWhoHasHowMany) {
    const TemporaryFolder folder;
    const std::string whole = folder.path() + "/whole";
    const std::string part = folder.path() + "/part";
    const std::string other = folder.path() + "/other";
    for (const std::string& copy : {whole, part, other}) {
        writeColourClasses(copy, 2, 4);
    }
    std::filesystem::remove(part + "/class1/3.jpg");
    std::filesystem::rename(other + "/class1/3.jpg", other + "/class0/4.jpg");
    const auto refusalOf = [&](const std::string& images) {
        auto [zero, one] = startRanks(worker({"--iterations", "2", "--data", whole}),
                                      worker({"--iterations", "2", "--data", images}));
        EXPECT_THAT(zero.wait(), AnyOf(3, 6));  // or the other one was the first to say so
        EXPECT_THAT(one.wait(), AnyOf(3, 6));
        return zero.err();
    };
    EXPECT_THAT(refusalOf(part), AllOf(HasSubstr("has 7"), HasSubstr("has 8"), HasSubstr("same images")));
    EXPECT_THAT(refusalOf(other), HasSubstr("has 8 images, but of other names"));
}

TEST(Program, AnUnknownInterfaceIsSaid) {
    const std::string port = freePort();
    auto variables = rankOf(0, 2, port);
    variables.emplace_back("DLPERF_INTERFACE", "nosuch0");
    Process zero(worker({"--comm-timeout", "20"}), variables);
    Process one(worker({"--comm-timeout", "20"}), rankOf(1, 2, port));
    expectEnd(zero, 3, HasSubstr("no network interface 'nosuch0'"));
    EXPECT_THAT(one.wait(), AnyOf(3, 6));  // it may come when the other is gone
    EXPECT_THAT(one.err(), AnyOf(HasSubstr("rank 1: rank 0 failed: DLPERF_INTERFACE: "),
                                 HasSubstr("rank 0 ended before the rendezvous was complete")));
}

TEST(Program, LosingARankEndsTheOtherWithTheReason) {
    auto [zero, one] = startRanks(worker({"--iterations", "100000"}), worker({"--iterations", "100000"}));
    ASSERT_TRUE(zero.waitForOutput("iteration 3 ")) << zero.err();
    one.signal(SIGKILL);
    expectEnd(zero, 6, HasSubstr("rank 0: rank 1 ended without a word"));
}

TEST(Program, ARankThatFailsTellsTheOtherWhy) {
    const TemporaryFolder folder;
    const std::string good = folder.path() + "/good";
    const std::string broken = folder.path() + "/broken";
    writeColourClasses(good, 2, 4);
    writeColourClasses(broken, 2, 4);
    for (int image = 0; image < 4; ++image) {
        std::filesystem::resize_file(broken + "/class1/" + std::to_string(image) + ".jpg", 900);
    }
    auto [zero, one] = startRanks(worker({"--iterations", "100000", "--data", good}),
                                  worker({"--iterations", "100000", "--data", broken}));
    EXPECT_EQ(one.wait(), 4);
    expectEnd(zero, 6, AllOf(HasSubstr("rank 0: rank 1 failed: "), HasSubstr(".jpg")));
}

TEST(Program, ARankThatCannotPrepareTellsTheOneThatWaits) {
    const TemporaryFolder folder;
    writeColourClasses(folder.path(), 2, 4);
    for (const int failing : {0, 1}) {
        const auto data = [&](int rank) { return rank == failing ? folder.path() + "/none" : folder.path(); };
        auto [zero, one] = startRanks(worker({"--data", data(0)}), worker({"--data", data(1)}));
        Process& waiting = failing == 0 ? one : zero;
        EXPECT_EQ((failing == 0 ? zero : one).wait(), 4);
        expectEnd(waiting, 6, HasSubstr("rank " + std::to_string(failing) + " failed: "));
        EXPECT_THAT(waiting.err(), HasSubstr("/none"));
    }
}

TEST(Program, AStalledRankEndsTheOtherAfterTheTimeout) {
    auto [zero, one] = startRanks(worker({"--iterations", "100000", "--comm-timeout", "5"}),
                                  worker({"--iterations", "100000", "--comm-timeout", "5"}));
    ASSERT_TRUE(zero.waitForOutput("iteration 2 ")) << zero.err();
    one.signal(SIGSTOP);
    EXPECT_EQ(zero.wait(), 6);
    // Two clocks run out at the same time.
    EXPECT_THAT(zero.err(), AnyOf(HasSubstr("within 5 s (--comm-timeout)"), HasSubstr("silent for 5 s")));
}

// A launcher of two processes that train.
class TrainingLauncher : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(launcher_.waitForOutput("iteration 2 ")) << launcher_.err();
        children_ = launcher_.children();
        ASSERT_EQ(children_.size(), 2U);
    }
    // Waits for all to end; the launcher with this code.
    void expectEnd(int code) {
        EXPECT_EQ(launcher_.wait(), code);
        for (int i = 0; i < 2000 && std::any_of(children_.begin(), children_.end(), isAlive); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        EXPECT_TRUE(std::none_of(children_.begin(), children_.end(), isAlive));
    }

    Process launcher_{worker({"--iterations", "100000", "--devices", "2"})};
    std::vector<pid_t> children_;
};
TEST_F(TrainingLauncher, SigtermLeavesNoProcess) {
    launcher_.signal(SIGTERM);
    expectEnd(128 + SIGTERM);
}

TEST_F(TrainingLauncher, AStoppedProcessDoesNotOutliveItsOrder) {
    kill(children_.back(), SIGSTOP);
    launcher_.signal(SIGINT);
    expectEnd(128 + SIGINT);
}

TEST_F(TrainingLauncher, AProcessThatDiesEndsTheOthersWithTheReason) {
    kill(children_.back(), SIGKILL);
    expectEnd(128 + SIGKILL);
    EXPECT_THAT(launcher_.err(), HasSubstr("was ended by signal 9"));
}

TEST_F(TrainingLauncher, ItsProcessesDieWithIt) {
    launcher_.signal(SIGKILL);
    expectEnd(128 + SIGKILL);
}

TEST(Launcher, TwoNodesAreOneWorld) {
    const std::string port = freePort();
    const Process::Variables variables = {{"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", port}};
    const std::vector<std::string> options = {"--iterations", "2", "--devices",  "2",
                                              "--nodes",      "2", "--node-rank"};
    auto ofNode = [&](const char* rank) {
        auto all = options;
        all.emplace_back(rank);
        return worker(all);
    };
    Process first(ofNode("0"), variables);
    Process second(ofNode("1"), variables);
    EXPECT_EQ(first.wait(), 0) << first.err();
    EXPECT_EQ(second.wait(), 0) << second.err();
    EXPECT_THAT(first.out(), HasSubstr("# world_size: 4"));
    EXPECT_EQ(iterationsOf(first.out()).size(), 2U);
    EXPECT_EQ(second.out(), "");
}

TEST(Launcher, ItRefusesToStartWhereItWasStartedItself) {
    Process process(worker({"--devices", "2"}), rankOf(0, 2, "23456"));
    expectEnd(process, 2, HasSubstr("one or the other"));
}

}  // namespace
}  // namespace dlperf::worker::test
