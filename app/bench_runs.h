// SPDX-License-Identifier: Apache-2.0
// The runs of `dlperf bench`: of the program's own recipes, in a workspace of their own inside the user's, so
// that no figure of a measurement stands among results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/vocabulary.h"
#include "core/remote/transport.h"
#include "core/run/campaign.h"
#include "core/run/control.h"
#include "core/store/workspace.h"

namespace dlperf::app {

struct BenchOptions {
    std::string cluster;    // empty: this machine
    std::string workspace;  // made if missing
    remote::TransportFactory transports;
};

class BenchRuns {
public:
    // Where in the user's workspace the runs stand.
    using Place = std::filesystem::path (store::Workspace::*)() const;
    // Asks the nodes, fills in their devices, and makes the workspaces.
    [[nodiscard]] static Result<BenchRuns> open(const BenchOptions& options, const std::string& recipe,
                                                Place place);

    // The user's.
    [[nodiscard]] const store::Workspace& workspace() const { return workspace_; }
    [[nodiscard]] const cluster::Cluster& cluster() const { return inputs_.cluster; }
    // Of the recipe, on these nodes; empty: as many as the topology has.
    [[nodiscard]] launch::Plan planOf(const std::string& name, std::vector<std::string> nodes,
                                      Topology topology) const;
    // A campaign of one run, to its end; tells its progress under this title.
    [[nodiscard]] Result<run::RunState> run(const launch::Plan& plan, const std::string& title);
    // An error once somebody asked for the end, during a run or between two: of a measurement that was
    // cancelled, nothing is kept.
    [[nodiscard]] Result<void> checkNotCancelled() const;
    [[nodiscard]] std::filesystem::path logOf(const run::RunState& run, std::size_t rank) const;

private:
    BenchRuns(std::unique_ptr<run::HeldSignals> signals, store::Workspace workspace, store::Workspace own,
              run::CampaignInputs inputs, Vocabulary vocabulary, remote::TransportFactory transports);

    std::unique_ptr<run::HeldSignals> signals_;  // between runs; each run holds its own
    store::Workspace workspace_;
    store::Workspace own_;
    run::CampaignInputs inputs_;
    Vocabulary vocabulary_;
    remote::TransportFactory transports_;
    bool isCancelled_ = false;
};

// Why it gave no figure, in words.
[[nodiscard]] std::string reasonOf(const run::RunState& run);

}  // namespace dlperf::app
