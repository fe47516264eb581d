// SPDX-License-Identifier: Apache-2.0
// A laboratory for real runs: a home, a workspace, plans of toy trainers, the dlperf program as a process of
// its own, and a look at /proc for what it left behind.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/json.h"
#include "core/run/status.h"
#include "core/store/workspace.h"
#include "tests/support/folder.h"

namespace dlperf::run {

inline constexpr std::chrono::seconds bound{120};  // generous: no test is about time

struct Ended {
    int exitCode = -1;  // 128 + signal
    std::string output;
    std::string errors;
};

// One test at a time of those that give the same name, of whatever process: they would find each other's
// processes.
class Turn {
public:
    explicit Turn(const std::string& name);

private:
    Descriptor lock_;
};

class Lab {
    test::Folder folder_;

public:
    Lab();
    ~Lab();
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;

    std::filesystem::path root = folder_.path();
    std::filesystem::path home;
    store::Workspace workspace;
    std::map<std::string, std::string> environment;  // of the programs, beside HOME and PATH

    std::string ignoredSignals;  // that the programs are started with, as words of a shell: "HUP CHLD"

    // A plan of the toy recipe: 1n1g, batch size 8, window 2 to 20; `changes` replaces fields.
    std::filesystem::path plan(const std::map<std::string, std::string>& options = {},
                               const Json& changes = {});
    // Nodes a, b, … that all stand on this machine; `changes` goes into each.
    std::filesystem::path cluster(int nodes, const Json& changes = {});

    // Starts dlperf with these arguments; its output goes to files.
    pid_t start(const std::vector<std::string>& arguments);
    // What it has printed so far.
    std::string printedBy(pid_t process) const;
    Ended wait(pid_t process);
    Ended dlperf(const std::vector<std::string>& arguments) { return wait(start(arguments)); }
    // "run PLAN --recipes … --workspace W --grace 1" and more.
    std::vector<std::string> runArguments(const std::filesystem::path& plan,
                                          const std::vector<std::string>& more = {}) const;

    std::vector<Campaign> status() const;
    // The runs of the newest campaign.
    std::vector<RunState> runs() const;
    // Waits until the run (from 0) of the newest campaign is in this state and node 0's log has some bytes.
    [[nodiscard]] bool waitForLog(std::size_t run, std::size_t bytes = 300) const;
    [[nodiscard]] bool waitForFinish() const;

    // pids of processes that inherited a run id of this laboratory.
    std::vector<pid_t> trainers() const;
    std::string log(const RunState& run, int node = 0) const;

private:
    struct Started {
        pid_t process;
        std::filesystem::path output;
        std::filesystem::path errors;
    };
    std::vector<Started> started_;
};

// 1, 2, … to the last one.
[[nodiscard]] std::vector<int> oneTo(int last);
[[nodiscard]] bool eventually(const std::function<bool()>& holds);
[[nodiscard]] std::string slurp(const std::filesystem::path& file);
// The numbers of all "iteration N" lines.
[[nodiscard]] std::vector<int> iterationsOf(const std::string& log);

}  // namespace dlperf::run
