// SPDX-License-Identifier: Apache-2.0
// What runs hold of nodes, whichever workspace began them: found on the nodes alone, so that the trainer of a
// runner that is gone can be seen and ended.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/run/node_run.h"
#include "core/run/settings.h"

namespace dlperf::run {

struct WorkOnNode {
    std::string run;                // "<campaign>/<number>"
    std::vector<std::string> pids;  // of all processes that inherited the run's id
    std::string command;            // of the oldest of them
    std::chrono::seconds age{};     // of the oldest
    // Since a runner was heard of last; nothing where no lock of the run was found.
    std::optional<std::chrono::seconds> silence;
    struct Lock {
        std::string node;     // as the cluster file of that run calls it
        std::string workDir;  // absolute
    };
    std::vector<Lock> locks{};  // more than one where nodes share a machine

    // A runner touches a lock every 15 s, and one that nobody touched for a minute may be taken.
    [[nodiscard]] bool hasRunner() const { return silence && *silence < std::chrono::seconds(60); }
};

// Of one machine: several nodes that share it tell the same.
struct MachineWork {
    std::string machine;  // its boot and process namespace
    std::vector<WorkOnNode> runs;
};

// From what list_work.sh printed; text that is not of its form is skipped.
[[nodiscard]] MachineWork parseWork(const std::string& printed);
[[nodiscard]] Result<MachineWork> listWork(const NodeRun& node);

// Ends all processes of a run on the machine, TERM first, and gives its locks back. Returns the pids that are
// left.
[[nodiscard]] Result<std::vector<std::string>> endWork(const NodeRun& node, const WorkOnNode& work,
                                                       const Settings& settings);

}  // namespace dlperf::run
