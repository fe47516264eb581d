// SPDX-License-Identifier: Apache-2.0
// The part of the runner that gets a run's nodes: those of the node list, or from a job of Slurm's.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/mapped.h"
#include "core/cluster/slurm.h"
#include "core/run/runner_work.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;

constexpr auto jobPoll = 2s;

// The campaign is over once this run is.
bool isLast(Campaign campaign, std::size_t number) {
    campaign.runs[number].phase = RunPhase::Finished;
    return campaign.finished();
}

Verdict verdictOf(const remote::Withdrawal& withdrawal) {
    return {withdrawal.cause == remote::Withdrawal::Cause::Cancelled ? Outcome::Cancelled : Outcome::Failed,
            withdrawal.reason};
}

}  // namespace

Runner::Given Runner::Given::none(Verdict why) {
    Given given;
    given.refusal = std::move(why);
    return given;
}

Result<Runner::Given> Runner::giveNodes(Work& work, std::size_t number) {
    if (!work.cluster().slurm) {
        return Given{work.cluster().nodes, work.planned(number)};
    }
    if (!work.login) {
        auto login = transports_(*work.cluster().slurm->login);
        if (!login) {
            return Given::none({Outcome::Failed, describe(login.error())});
        }
        work.login = std::move(*login);
    }
    return waitForJob(work, number);
}

// The job, submitted by now or before. An error of kind Work: Slurm refuses it.
Result<void> Runner::submitJob(Work& work, std::size_t number) {
    const cluster::Slurm& slurm = *work.cluster().slurm;
    const RunState& run = work.campaign.runs[number];
    remote::JobRequest request;
    request.id = slurm.jobPerCampaign ? work.campaign.id : run.id;
    const auto topologies =
        mapped(work.campaign.runs, [](const RunState& other) { return other.benchmarkCase.topology; });
    const auto size = cluster::jobSizeOf(slurm, run.benchmarkCase.topology, topologies,
                                         std::chrono::seconds(work.inputs.campaign.plan.timeoutSeconds));
    request.nodes = size.nodes;
    request.timeLimit = size.timeLimit;
    request.lease = settings_.lease.count() > 0 ? std::chrono::ceil<std::chrono::seconds>(settings_.lease)
                                                : std::chrono::seconds(std::chrono::years(1));
    auto job = TRY(remote::SlurmJob::submit(work.cluster(), work.login, request, control_.runStop(run.id)));
    work.job = std::move(job);
    return {};
}

// The trainer may run, or have run, in the job of an earlier runner.
bool Runner::mayHaveStarted(const RunState& run) const {
    const auto events = readJournal(workspace_.root() / run.workFolder / "journal.jsonl");
    return events && std::ranges::any_of(*events, [](const Event& event) {
               return std::holds_alternative<event::StartBegan>(event.what);
           });
}

// Waiting in the queue takes none of the run's time. What is not reached is asked again: a job goes on
// without its slurmctld, and without us.
Result<Runner::Given> Runner::waitForJob(Work& work, std::size_t number) {
    const RunState& run = work.campaign.runs[number];
    if (!work.job && run.slurm) {
        work.job.emplace(work.login, run.slurm->job, run.slurm->folder);
    }
    // The campaign's, which served the run before: how it ended is no verdict on this one.
    bool inherited = work.job && (!run.slurm || run.slurm->job != work.job->number());
    const bool started = mayHaveStarted(run);
    for (;; control_.wait(jobPoll)) {
        if (const std::string by = control_.cancelledBy(run.id); !by.empty() && !started) {
            endJob(work);
            return Given::none({Outcome::Cancelled, "cancelled by " + by});
        }
        if (!work.job) {
            if (const auto submitted = submitJob(work, number); !submitted) {
                if (submitted.error().kind != ErrorKind::Transient) {
                    return Given::none({Outcome::Failed, describe(submitted.error())});
                }
                TRY(noteQueue(work, number, describe(submitted.error())));
                continue;
            }
            inherited = false;
        }
        if (!run.slurm || run.slurm->job != work.job->number()) {
            TRY(note(work, number, event::JobSubmitted{{work.job->number(), work.job->folder()}}));
        }
        if (auto given = TRY(lookAtJob(work, number, started, inherited))) {
            return *std::move(given);
        }
    }
}

// The nodes, or why there will be none; nothing as long as the job waits.
Result<std::optional<Runner::Given>> Runner::lookAtJob(Work& work, std::size_t number, bool started,
                                                       bool inherited) {
    const RunState& run = work.campaign.runs[number];
    const auto status = work.job->look(control_.runStop(run.id));
    if (!status) {
        TRY(noteQueue(work, number, describe(status.error())));
        return std::nullopt;
    }
    if (status->runs()) {
        return givenByJob(work, number, status->hosts);
    }
    if (started) {  // what it left is on the shared file system
        return givenByJob(work, number, mapped(run.nodes, [](const std::string& name) {
                              return cluster::JobHost{name, {}};
                          }));
    }
    if (status->waits() && !status->waitsInVain()) {
        TRY(noteQueue(work, number, remote::describeWait(work.job->number(), *status)));
        return std::nullopt;
    }
    if (status->state == "COMPLETING") {
        return std::nullopt;
    }
    const remote::Withdrawal why = remote::whyEnded(work.job->number(), *status);
    const bool ofEarlierRunner = why.isLoss() && run.phase != RunPhase::InQueue;
    endJob(work);
    if (inherited || ofEarlierRunner) {
        return std::nullopt;  // another job is submitted
    }
    work.campaign.runs[number].endedByCluster = why.isByCluster();
    return Given::none(verdictOf(why));
}

// Says once what the run waits for.
Result<void> Runner::noteQueue(Work& work, std::size_t number, std::string message) {
    const RunState& run = work.campaign.runs[number];
    if (run.phase != RunPhase::InQueue || run.message != message) {
        TRY(note(work, number, event::QueueReached{std::move(message)}));
    }
    TRY(noteRequests(work));
    publish(work, number);
    return {};
}

Result<Runner::Given> Runner::givenByJob(Work& work, std::size_t number,
                                         const std::vector<cluster::JobHost>& hosts) {
    RunState& run = work.campaign.runs[number];
    const auto count = static_cast<std::size_t>(run.benchmarkCase.topology.nodes);
    auto nodes = cluster::nodesOfJob(work.cluster(), work.job->number(), work.job->folder(), hosts);
    if (nodes.size() < count) {
        return Given::none({Outcome::Failed, fmt::format("Slurm job {} has {} nodes, {} are needed",
                                                         work.job->number(), nodes.size(), count)});
    }
    nodes.resize(count);
    launch::Plan plan = work.inputs.campaign.plan;
    plan.nodes.clear();
    auto planned =
        launch::prepareCase(plan, run.benchmarkCase, {work.cluster().name, nodes, work.cluster().slurm},
                            work.inputs.campaign.recipes, work.inputs.vocabulary, work.inputs.formats);
    if (!planned) {
        return Given::none({Outcome::Failed, describe(planned.error())});
    }
    std::vector<std::string> names;
    std::ranges::transform(nodes, std::back_inserter(names), &cluster::Node::name);
    if (names != run.nodes || run.phase == RunPhase::InQueue) {
        TRY(note(work, number, event::NodesGiven{std::move(names)}));
    }
    return Given{std::move(nodes), std::move(*planned)};
}

// Before the last event of what the job was for: a runner that is killed between the two would leave it, for
// nobody looks at a run that is over.
void Runner::giveJobBack(Work& work, std::size_t number) {
    if (!work.cluster().slurm || (work.keepsJob() && !isLast(work.campaign, number))) {
        return;
    }
    if (!work.login) {  // else what an earlier runner left was found when its nodes were asked for
        findJobOfEarlierRunner(work, number);
    }
    endJob(work);
}

// The run's, or the campaign's as the last run that had one knows it.
void Runner::findJobOfEarlierRunner(Work& work, std::size_t number) {
    const auto& runs = work.campaign.runs;
    const auto last =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunState& run) { return run.slurm.has_value(); });
    const bool any = work.keepsJob() ? last != runs.rend() : runs[number].slurm.has_value();
    if (!any) {
        return;
    }
    const SlurmPlace& place = work.keepsJob() ? *last->slurm : *runs[number].slurm;
    if (auto login = transports_(*work.cluster().slurm->login)) {
        work.job.emplace(std::move(*login), place.job, place.folder);
    }
}

// Its nodes are given back by themselves where that cannot be said to Slurm now.
void Runner::endJob(Work& work) {
    if (work.job) {
        (void)work.job->end();
        work.job.reset();
    }
}

}  // namespace dlperf::run
