// SPDX-License-Identifier: Apache-2.0
#include "core/remote/slurm_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/node_script.h"
#include "core/base/text.h"

namespace dlperf::remote {
namespace {

using node_script::set;

constexpr int notReached = 75;  // exit code of the scripts: slurmctld does not answer

constexpr std::array<std::string_view, 5> waitingStates{"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD",
                                                        "RESV_DEL_HOLD"};

// Of squeue(1); what a user asked for more than a limit allows.
constexpr std::array<std::string_view, 7> vainReasons{
    "PartitionNodeLimit", "PartitionTimeLimit", "BadConstraints",          "InvalidAccount",
    "InvalidQOS",         "AccountNotAllowed",  "DependencyNeverSatisfied"};

bool isOneOf(const auto& states, const std::string& state) {
    return std::ranges::find(states, state) != states.end();
}

// Slurm's words for "nothing".
std::string known(std::string text) {
    return text == "None" || text == "Unknown" || text == "(null)" ? std::string() : text;
}

std::vector<cluster::JobHost> hostsOf(const std::string& printed) {
    std::vector<cluster::JobHost> hosts;
    for (const std::string& line : linesOf(printed, "host")) {
        const auto words = split(line, ' ');
        hosts.push_back({std::string(words.front()), words.size() > 1 ? std::string(words[1]) : ""});
    }
    return hosts;
}

std::string arguments(const std::vector<std::string>& words) {
    std::string line = "set --";
    for (const std::string& word : words) {
        line += " " + shellQuote(word);
    }
    return line + "\n";
}

Failure refused(const std::string& login, const CommandResult& result, const std::string& what) {
    const std::string said = firstLine(result.errors);
    return result.exitCode == notReached
               ? fail("slurmctld does not answer: " + said, "node " + login,
                      "It may be on its way back; else see whether `squeue` works there.",
                      ErrorKind::Transient)
               : fail(
                     fmt::format("{}: {}", what, said), "node " + login,
                     "Check \"slurm\" in the cluster file: partition, account, gres, time_limit and options.",
                     ErrorKind::Work);
}

}  // namespace

bool JobStatus::waits() const {
    return isOneOf(waitingStates, state);
}

bool JobStatus::waitsInVain() const {
    return waits() && (isOneOf(vainReasons, reason) || reason.ends_with("PerJobLimit"));
}

bool JobStatus::runs() const {
    return state == "RUNNING" || state == "SUSPENDED";
}

JobStatus parseJobStatus(std::string_view printed) {
    const std::string text = cleanUtf8(std::string(printed));
    return {lineOf(text, "state"), known(lineOf(text, "reason")), lineOf(text, "limit"),
            lineOf(text, "exit"),  known(lineOf(text, "begins")), lineOf(text, "place"),
            hostsOf(text)};
}

std::string describeWait(const std::string& job, const JobStatus& status) {
    std::string text = fmt::format("job {} waits", job);
    if (!status.reason.empty()) {
        text += ": " + status.reason;
    }
    if (!status.place.empty()) {
        text += fmt::format(", {} in its partition", status.place);
    }
    if (!status.begins.empty()) {
        text += ", to begin " + status.begins;
    }
    return text;
}

Withdrawal whyEnded(const std::string& job, const JobStatus& status) {
    const auto because = [&](Withdrawal::Cause cause, const std::string& words) {
        return Withdrawal{cause, fmt::format("Slurm job {} {}", job, words)};
    };
    using enum Withdrawal::Cause;
    if (status.state == "TIMEOUT" || status.reason == "TimeLimit") {
        return because(TimeLimit, "reached its time limit, " + status.timeLimit);
    }
    if (status.state == "CANCELLED") {
        return because(Cancelled, "was cancelled by somebody else");
    }
    if (status.state == "PREEMPTED") {
        return because(Preempted, "was preempted by another job");
    }
    if (status.state == "NODE_FAIL" || status.state == "BOOT_FAIL") {
        return because(NodeFailed, "lost a node");
    }
    if (status.state == "OUT_OF_MEMORY") {
        return because(OutOfMemory,
                       "ran out of the memory that Slurm gives it. Ask for more with \"--mem\" in "
                       "\"options\" of \"slurm\" in the cluster file, or take a smaller batch");
    }
    if (status.waitsInVain()) {
        return because(Lost, "would wait for ever: " + status.reason +
                                 ". Ask for less in \"slurm\" of the cluster file, or for another partition");
    }
    if (status.waits()) {
        return because(Preempted, "was put back into the queue");
    }
    if (status.state == "COMPLETED") {
        return because(Lost, "gave its nodes back: nobody had asked them for anything for long");
    }
    return because(Lost, status.state == "GONE"
                             ? "has ended, and Slurm no longer knows how"
                             : fmt::format("ended as {}{}", status.state,
                                           status.reason.empty() ? "" : ", because " + status.reason));
}

Result<void> testJob(const cluster::Cluster& cluster, Transport& login, int nodes,
                     const std::stop_token& stop) {
    const auto result = TRY(
        login.run({set("nodes", std::to_string(nodes)) + arguments(cluster::sbatchOptions(*cluster.slurm)) +
                       std::string(node_script::job_test),
                   {}},
                  {Limits{}.deadline, stop}));
    return result.exitCode == 0 ? Result<void>()
                                : refused(login.name(), result, "Slurm would not take the job");
}

Result<std::vector<cluster::Partition>> listPartitions(Transport& login, const std::stop_token& stop) {
    const auto result = TRY(login.run({std::string(node_script::partitions), {}}, {Limits{}.deadline, stop}));
    auto partitions = cluster::parsePartitions(result.output);
    if (partitions.empty()) {
        return fail("there is no partition of Slurm: " + firstLine(result.errors), "node " + login.name(),
                    "See whether `sinfo` works there.", ErrorKind::Work);
    }
    return partitions;
}

Result<SlurmJob> SlurmJob::submit(const cluster::Cluster& cluster, std::shared_ptr<Transport> login,
                                  const JobRequest& request, const std::stop_token& stop) {
    const cluster::Slurm& slurm = *cluster.slurm;
    const std::string script =
        set("work", cluster.nodes.front().workDir) + std::string(node_script::work_folder) +
        set("id", request.id) + set("nodes", std::to_string(request.nodes)) +
        set("lease", std::to_string(request.lease.count())) +
        set("minutes", std::to_string(request.timeLimit.count())) + set("partition", slurm.partition) +
        set("agent", std::string(node_script::job_agent)) + arguments(cluster::sbatchOptions(slurm)) +
        std::string(node_script::job_submit);
    const auto result = TRY(login->run({script, {}}, {Limits{}.deadline, stop}));
    const std::string number = lineOf(result.output, "job");
    if (result.exitCode != 0 || number.empty()) {
        return refused(login->name(), result, "the job was not submitted");
    }
    return SlurmJob(std::move(login), number, lineOf(result.output, "folder"));
}

Result<JobStatus> SlurmJob::look(const std::stop_token& stop) const {
    const auto result = TRY(login_->run({set("job", number_) + std::string(node_script::job_state), {}},
                                        {Limits{}.deadline, stop}));
    if (result.exitCode != 0) {
        return refused(login_->name(), result, "the job cannot be looked at");
    }
    return parseJobStatus(result.output);
}

Result<void> SlurmJob::end() const {
    const auto result = TRY(login_->run(
        {set("job", number_) + set("folder", folder_) + std::string(node_script::job_end), {}}, {}));
    if (result.exitCode != 0) {
        return fail(fmt::format("job {} was asked to end and is still there", number_),
                    "node " + login_->name(), fmt::format("Look at it with `squeue -j {}`.", number_),
                    ErrorKind::Transient);
    }
    return {};
}

Result<std::vector<JobInQueue>> listJobs(const cluster::Cluster& cluster,
                                         const std::shared_ptr<Transport>& login,
                                         const std::stop_token& stop) {
    const auto result =
        TRY(login->run({set("work", cluster.nodes.front().workDir) + std::string(node_script::work_folder) +
                            std::string(node_script::list_jobs),
                        {}},
                       {Limits{}.deadline, stop}));
    if (result.exitCode != 0) {
        return refused(login->name(), result, "the queue cannot be read");
    }
    std::vector<JobInQueue> jobs;
    for (const std::string& line : linesOf(cleanUtf8(result.output), "job")) {
        if (const auto words = split(line, ' '); words.size() == 3) {
            const std::string id(words[2]);
            jobs.push_back(
                {SlurmJob(login, std::string(words[0]), lineOf(result.output, "folder") + "/" + id),
                 std::string(words[1]), id});
        }
    }
    return jobs;
}

}  // namespace dlperf::remote
