// SPDX-License-Identifier: Apache-2.0
// One run on one node, step by step. Every step may be repeated: after a crash the runner goes through them
// again, and a step that was done before finds it done.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/cluster/cluster.h"
#include "core/launch/prepare.h"
#include "core/remote/transport.h"
#include "core/run/run_state.h"

namespace dlperf::run {

// A try to take a node.
struct Claim : NodeClaim {
    bool started = false;    // the run's trainer was started there before
    std::string busyWith{};  // not empty: the node was not taken, this run has it
    // Then, where that is known: its id and its folder there.
    std::string holder{};
    std::string holderFolder{};
};

struct Collected {
    std::optional<int> exitCode;  // nothing: the trainer left none (killed hard, or the machine restarted)
    std::uint64_t logBytes = 0;
    std::string sha256;
    std::optional<std::uint64_t> freeKib;
    std::vector<std::string> gpuProcesses;
    // "lease 1800", "limit 3660": why the node itself ended the trainer (watch.sh); empty: it did not.
    std::string endedBy{};
    // Processes of the machine, anybody's, that its kernel killed meanwhile because memory ran out.
    std::uint64_t oomKills = 0;
    std::chrono::seconds ahead{};  // of our clock is that of the node, by which it tells what it did
};

class NodeRun {
public:
    NodeRun(std::shared_ptr<remote::Transport> transport, cluster::Node node, launch::NodeLaunch launch,
            std::string runId);

    const std::string& name() const { return node_.name; }
    const cluster::Node& node() const { return node_; }
    const launch::NodeLaunch& launch() const { return launch_; }
    remote::Transport& transport() const { return *transport_; }
    const std::string& folder() const { return folder_; }
    const std::string& workDir() const { return workDir_; }  // as configured: "~/dlperf"
    std::string logPath() const { return folder_ + "/log"; }
    // DLPERF_RUN_DIR: the trainer's own, so that no file of ours is in its way.
    std::string trainerFolder() const { return folder_ + "/trainer"; }
    std::string telemetryPath() const { return folder_ + "/telemetry.csv"; }

    // Takes the node and makes the folder, or says which run has the node. Does not wait.
    [[nodiscard]] Result<Claim> claim(const std::stop_token& stop);
    // Keeps a node that was taken; an error of kind Work when another run has it by now.
    [[nodiscard]] Result<void> refresh(const std::stop_token& stop);
    // What a claim of an earlier runner said.
    void adopt(const std::string& folder) { folder_ = folder; }
    // Another run on the same node.
    [[nodiscard]] NodeRun ofRun(const std::string& runId, const std::string& folder) const;
    [[nodiscard]] Result<int> freePort(unsigned seed, const std::stop_token& stop);
    // What a run puts into its folder.
    struct Deployment {
        std::string script;                              // launch.sh
        std::map<std::string, std::string> environment;  // that it gets, secrets apart
        std::vector<std::string> pythonPackages{};       // whose versions are recorded
        std::string logFile{};         // of the trainer, below its folder; empty: its output
        std::chrono::seconds lease{};  // see Settings; zero: it never runs out
        std::chrono::seconds limit{};  // after which the node itself ends the run; zero: never
    };
    // Puts script, environment and wrapper there.
    [[nodiscard]] Result<void> place(const Deployment& deployment, const std::stop_token& stop);
    // Has the wrapper say what the node is made of before it starts the trainer.
    [[nodiscard]] Result<void> placeVersions(const std::stop_token& stop);
    [[nodiscard]] Result<Identity> start(const std::stop_token& stop);

    // The exit code once the trainer ended.
    [[nodiscard]] Result<std::optional<int>> exitCode(const std::stop_token& stop);
    // The same, asked of the node itself: who reads its files on the login node of a Slurm job may see a new
    // one a minute late.
    [[nodiscard]] Result<std::optional<int>> lastExitCode(const std::stop_token& stop);
    [[nodiscard]] Result<bool> alive(const Identity& identity, const std::stop_token& stop);
    // Sends a signal to all that belongs to the run ("0" only asks); the pids that were there.
    [[nodiscard]] Result<std::vector<std::string>> signal(const std::string& name, bool spareWrapper,
                                                          remote::Milliseconds deadline);
    [[nodiscard]] Result<Collected> collect();
    [[nodiscard]] Result<std::string> facts();
    // What the node and its container are made of, as versions.h says; null if this run did not ask.
    [[nodiscard]] Result<Json> versions();
    [[nodiscard]] Result<void> release();
    // Removes the run's folder there, but for files that the trainer wrote beside its log.
    [[nodiscard]] Result<void> removeFiles();

private:
    [[nodiscard]] Result<std::string> shell(const std::string& script, const std::stop_token& stop = {});
    // The output of a command that ended well.
    [[nodiscard]] Result<std::string> checked(const remote::CommandResult& result) const;
    [[nodiscard]] Json askImage() const;
    [[nodiscard]] Failure lost(const std::string& holder) const;
    [[nodiscard]] Result<std::string> secretLines() const;

    std::shared_ptr<remote::Transport> transport_;
    cluster::Node node_;
    launch::NodeLaunch launch_;
    std::string runId_;
    std::string workDir_;  // the container's inside a container
    std::string folder_;
    bool startedBefore_ = false;  // as the claim found
};

}  // namespace dlperf::run
