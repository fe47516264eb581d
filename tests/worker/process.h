// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace dlperf::worker::test {

// A folder that is removed with its contents.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

// A program started with its output in files. Ended, with all that it started, when this is destroyed.
class Process {
public:
    using Variables = std::vector<std::pair<std::string, std::string>>;

    // In a process group of its own; `variables` are added to the environment, from which what a launcher
    // sets was taken out.
    Process(const std::vector<std::string>& command, const Variables& variables = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t pid() const { return pid_; }
    std::string out() const;
    std::string err() const;

    // Waits until the output holds the text; false where the process ended or a minute passed without it.
    bool waitForOutput(const std::string& text);
    void signal(int number) const;
    // The exit code, 128 + signal, or -1 where it still ran after a minute.
    int wait();

    // Processes started by this one that are alive (not zombies).
    std::vector<pid_t> children() const;

private:
    bool poll();

    TemporaryFolder folder_;
    pid_t pid_ = -1;
    int code_ = -1;
    bool ended_ = false;
};

// True where the process exists and is no zombie: nobody may be there to reap orphans.
bool isAlive(pid_t pid);

// How a program ended.
struct Ended {
    int code;
    std::string out, err;
};
Ended run(const std::vector<std::string>& command, const Process::Variables& variables = {});

// Waits for the process, which must end with this code and error text.
template <typename Matcher>
void expectEnd(Process& process, int code, const Matcher& error) {
    EXPECT_EQ(process.wait(), code);
    EXPECT_THAT(process.err(), error);
}

// A TCP port that was free a moment ago.
std::string freePort();
// What a launcher sets for a rank of a world on this machine.
Process::Variables rankOf(int rank, int size, const std::string& port);

// Both ranks of a world, started by these commands.
struct TwoRanks {
    Process zero, one;
};
TwoRanks startRanks(const std::vector<std::string>& zero, const std::vector<std::string>& one);

std::string readFile(const std::string& path);

}  // namespace dlperf::worker::test
