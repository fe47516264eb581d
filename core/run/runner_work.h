// SPDX-License-Identifier: Apache-2.0
// What a runner holds while it works: of the campaign, and for one run.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/run/events.h"
#include "core/run/runner.h"

namespace dlperf::run {

struct Runner::Work {
    Campaign campaign;
    const RunnerInputs& inputs;
    Journal journal;
    std::set<std::string> skipped{};  // the runs to skip, as last noted
    std::set<std::string> lost{};     // nodes that did not answer after a run that failed
    // Where the cluster's scheduler is Slurm.
    std::shared_ptr<remote::Transport> login{};
    std::optional<remote::SlurmJob> job{};    // that holds nodes now
    std::vector<launch::PlannedRun> added{};  // to the campaign's runs, behind those that were prepared

    [[nodiscard]] const launch::PlannedRun& planned(std::size_t number) const {
        const auto& prepared = inputs.prepared.runs;
        return number < prepared.size() ? prepared[number] : added[number - prepared.size()];
    }
    [[nodiscard]] const cluster::Cluster& cluster() const { return inputs.campaign.cluster; }
    // The job outlives the run.
    [[nodiscard]] bool keepsJob() const { return !cluster().slurm || cluster().slurm->jobPerCampaign; }
};

struct Runner::Given {
    std::vector<cluster::Node> nodes{};
    launch::PlannedRun planned{};      // for exactly these
    std::optional<Verdict> refusal{};  // why there are none

    [[nodiscard]] static Given none(Verdict why);
};

}  // namespace dlperf::run
