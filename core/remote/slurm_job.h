// SPDX-License-Identifier: Apache-2.0
// A Slurm job that holds nodes for us: submitted on the login node, waited for, ended. What runs in it is one
// agent a node (resources/node/job_agent.sh), by which JobTransport reaches that node.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cluster/slurm.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

// As `scontrol show job` tells it, in Slurm's words.
struct JobStatus {
    std::string state;   // "PENDING"; "GONE": nobody knows the job any more
    std::string reason;  // "Resources"
    std::string timeLimit;
    std::string exitCode;
    std::string begins;                   // where Slurm has planned that: "2026-11-25T05:20:06"
    std::string place;                    // "2 of 5" among those that wait in its partition; may be empty
    std::vector<cluster::JobHost> hosts;  // once it runs

    [[nodiscard]] bool waits() const;
    [[nodiscard]] bool waitsInVain() const;  // for what no waiting brings
    [[nodiscard]] bool runs() const;
};

// From what job_state.sh printed.
[[nodiscard]] JobStatus parseJobStatus(std::string_view printed);

// "job 17 waits: Resources, 2 of 5 in its partition, begins 2026-11-25T05:20:06 at the latest"
[[nodiscard]] std::string describeWait(const std::string& job, const JobStatus& status);
// Why a job that neither waits nor runs has ended.
[[nodiscard]] Withdrawal whyEnded(const std::string& job, const JobStatus& status);

struct JobRequest {
    std::string id;  // of the run or campaign: the job's comment, by which it is found again
    int nodes = 1;
    std::chrono::seconds lease{};  // nodes that nobody asked anything for so long are given back
    // As far as the partition allows; zero: the cluster's, else the partition's.
    std::chrono::minutes timeLimit = {};
};

// Asks Slurm whether it would take a job of so many nodes; errors as of SlurmJob::submit.
[[nodiscard]] Result<void> testJob(const cluster::Cluster& cluster, Transport& login, int nodes,
                                   const std::stop_token& stop);

[[nodiscard]] Result<std::vector<cluster::Partition>> listPartitions(Transport& login,
                                                                     const std::stop_token& stop);

class SlurmJob {
public:
    // A job that was submitted before.
    SlurmJob(std::shared_ptr<Transport> login, std::string number, std::string folder)
        : login_(std::move(login)), number_(std::move(number)), folder_(std::move(folder)) {}

    // Finds the job of this id, or submits one. Transient where slurmctld is not reached; Work where Slurm
    // refuses, with its words.
    [[nodiscard]] static Result<SlurmJob> submit(const cluster::Cluster& cluster,
                                                 std::shared_ptr<Transport> login, const JobRequest& request,
                                                 const std::stop_token& stop);

    [[nodiscard]] const std::string& number() const { return number_; }
    [[nodiscard]] const std::string& folder() const { return folder_; }

    // Transient where slurmctld is not reached.
    [[nodiscard]] Result<JobStatus> look(const std::stop_token& stop) const;
    // Ends it, and returns when it is gone from the queue.
    [[nodiscard]] Result<void> end() const;

private:
    std::shared_ptr<Transport> login_;
    std::string number_;
    std::string folder_;  // on the shared file system, absolute
};

struct JobInQueue {
    SlurmJob job;
    std::string state;  // Slurm's word
    std::string id;     // what it was submitted for
};
// Those that this user's runners, alive or not, have in Slurm's queue. Errors as of SlurmJob::look.
[[nodiscard]] Result<std::vector<JobInQueue>> listJobs(const cluster::Cluster& cluster,
                                                       const std::shared_ptr<Transport>& login,
                                                       const std::stop_token& stop);

}  // namespace dlperf::remote
