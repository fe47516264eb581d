// SPDX-License-Identifier: Apache-2.0
// The runner: goes through a campaign run by run. Made for a process of its own (`dlperf run`, `dlperf
// resume`).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/model/vocabulary.h"
#include "core/remote/slurm_job.h"
#include "core/remote/transport.h"
#include "core/run/campaign.h"
#include "core/run/control.h"
#include "core/run/failures_alike.h"
#include "core/run/lock.h"
#include "core/run/run_execution.h"

namespace dlperf::run {

struct CampaignEnd {
    std::vector<RunResult> results;  // one a run of the campaign, in order, also of earlier runners
    std::string cancelledBy;         // not empty: it was cancelled
    Campaign campaign;               // where it stands
    bool allOk() const { return campaign.endedWell(); }
};

// Sees the campaign after each change of its run number `run`, from 0.
using Observer = std::function<void(const Campaign& campaign, std::size_t run)>;

// What a campaign is made of; outlives its runner.
struct RunnerInputs {
    const CampaignInputs& campaign;
    const launch::PreparedPlan& prepared;  // holds the campaign's first runs in its order; it may add others
    const Vocabulary& vocabulary;
    const analysis::FormatBook& formats;  // the workspace's
};

class Runner {
public:
    Runner(store::Workspace workspace, remote::TransportFactory transports, Control& control,
           Settings settings, Observer observer);

    // Runs what is not finished, from the start or from where the last runner was. An error means that the
    // workspace cannot be written to.
    [[nodiscard]] Result<CampaignEnd> run(Campaign campaign, const RunnerInputs& inputs, WorkspaceLock& lock);

private:
    struct Work;   // the campaign at hand
    struct Given;  // nodes for a run

    [[nodiscard]] Result<void> oneRun(Work& work, std::size_t number);
    [[nodiscard]] Result<void> oneMoreWithAnotherPort(Work& work, std::size_t number);
    [[nodiscard]] Result<void> begin(Work& work, std::size_t number);
    [[nodiscard]] Result<RunRemains> execute(Work& work, std::size_t number);
    [[nodiscard]] Result<RunRemains> executeOn(Work& work, std::size_t number,
                                               const launch::PlannedRun& planned, std::vector<NodeRun> nodes);
    [[nodiscard]] Result<void> close(Work& work, std::size_t number, const RunRemains& remains);
    [[nodiscard]] Result<void> settle(Work& work, std::size_t number);
    [[nodiscard]] static Result<void> note(Work& work, std::size_t number, Happening what);
    [[nodiscard]] Result<void> workThrough(Work& work, std::size_t first);
    [[nodiscard]] Result<void> addRuns(Work& work);
    [[nodiscard]] static Result<void> prepareAdded(Work& work);
    void publish(const Work& work, std::size_t number) const;
    [[nodiscard]] Result<void> skip(Work& work, std::size_t number, const std::string& reason);
    [[nodiscard]] Result<std::vector<NodeRun>> nodesOf(Work& work, std::size_t number, const Given& given);
    [[nodiscard]] Result<Given> giveNodes(Work& work, std::size_t number);
    [[nodiscard]] Result<Given> waitForJob(Work& work, std::size_t number);
    [[nodiscard]] Result<std::optional<Given>> lookAtJob(Work& work, std::size_t number, bool started,
                                                         bool inherited);
    [[nodiscard]] Result<void> noteQueue(Work& work, std::size_t number, std::string message);
    [[nodiscard]] Result<void> submitJob(Work& work, std::size_t number);
    [[nodiscard]] Result<Given> givenByJob(Work& work, std::size_t number,
                                           const std::vector<cluster::JobHost>& hosts);
    [[nodiscard]] bool mayHaveStarted(const RunState& run) const;
    void giveJobBack(Work& work, std::size_t number);
    void findJobOfEarlierRunner(Work& work, std::size_t number);
    void endJob(Work& work);
    using Answers = std::map<std::string, bool>;  // by node that is, or was, in use
    [[nodiscard]] Answers askNodes() const;
    [[nodiscard]] static bool anyAnswers(const Answers& answers);
    void findLostNodes(Work& work);
    [[nodiscard]] static std::vector<std::string> lostNodesOf(const Work& work, std::size_t number);
    [[nodiscard]] Result<void> runWhenNodesAreBack(Work& work, std::size_t number,
                                                   std::chrono::steady_clock::time_point until);
    [[nodiscard]] Result<void> makeFolder(Work& work, std::size_t number);
    [[nodiscard]] bool belongsToAnother(const RunState& run) const;
    [[nodiscard]] Result<void> waitWhilePaused(Work& work);
    [[nodiscard]] Result<void> noteRequests(Work& work);
    [[nodiscard]] Result<void> noteSkipped(Work& work);
    void pauseBetween(const Work& work);

    store::Workspace workspace_;
    remote::TransportFactory transports_;
    Control& control_;
    Settings settings_;
    Observer observer_;
    std::map<std::string, std::shared_ptr<remote::Transport>> open_;  // by node
    // By recipe, for its options and its Python decide: taken once, and anew by the next runner.
    std::map<std::string, NodeVersions> versions_;
    FailuresAlike failures_;
    bool haveAnswered_ = false;  // nodes of a run that ended
};

// Prepares the campaign's runs again from its own files; an Input error when they no longer agree with it.
// `formats`: the workspace's.
[[nodiscard]] Result<launch::PreparedPlan> prepareAgain(const Campaign& campaign,
                                                        const CampaignInputs& inputs,
                                                        const Vocabulary& vocabulary,
                                                        const analysis::FormatBook& formats);

}  // namespace dlperf::run
