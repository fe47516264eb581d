// SPDX-License-Identifier: Apache-2.0
#include "app/run_campaign.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/run_progress.h"
#include "app/run_table.h"
#include "core/run/requests.h"
#include "core/run/retry.h"
#include "core/run/runner.h"

namespace dlperf::app {
namespace {

run::Settings settingsOf(const RunnerOptions& options) {
    run::Settings settings;
    settings.grace = options.grace;
    settings.lostAfter = options.lostAfter;
    settings.keepNodeFiles = options.keepNodeFiles;
    if (auto rules = diagnosis::readRules()) {
        settings.rules = std::move(*rules);
    } else {  // a rule that somebody wrote wrong keeps nobody from measuring
        (void)complain("run", rules.error());
    }
    return settings;
}

// Runs one campaign to its end and prints its table.
Result<int> work(const store::Workspace& workspace, const run::Campaign& campaign, const Inputs& inputs,
                 run::Control& control, run::WorkspaceLock& lock, const RunnerOptions& options) {
    const run::Settings settings = settingsOf(options);
    run::Runner runner(workspace, options.transports, control, settings,
                       RunProgressPrinter(::isatty(STDERR_FILENO) == 1, settings.rules));
    const auto end =
        runner.run(campaign, inputs.campaign.cluster, inputs.prepared, inputs.campaign.plan, lock);
    if (!end) {
        return Failure(end.error());
    }
    printThroughputTable(std::cout, end->results, inputs.vocabulary);
    std::cout.flush();
    if (!end->cancelledBy.empty()) {
        std::cerr << "cancelled by " << end->cancelledBy << '\n';
    }
    return end->allOk() ? 0 : 1;
}

Result<Inputs> inputsOf(const store::Workspace& workspace, const run::Campaign& campaign) {
    auto vocabulary = readVocabulary();
    auto inputs = run::readInputs(workspace, campaign.id);
    if (!vocabulary || !inputs) {
        return Failure(vocabulary ? inputs.error() : vocabulary.error());
    }
    auto prepared = run::prepareAgain(campaign, *inputs, *vocabulary);
    if (!prepared) {
        return Failure(prepared.error());
    }
    return Inputs{std::move(*inputs), std::move(*vocabulary), std::move(*prepared)};
}

// Goes on with one campaign if it is not finished.
Result<int> resumeCampaign(const store::Workspace& workspace, const std::string& id, run::Control& control,
                           run::WorkspaceLock& lock, const RunnerOptions& options) {
    const auto campaign = run::readCampaign(workspace, id);
    if (!campaign) {
        return Failure(campaign.error());
    }
    run::Campaign now = *campaign;
    if (auto replayed = run::replaySoundJournal(workspace, now); !replayed) {
        return Failure(replayed.error());
    }
    if (now.finished()) {
        return 0;
    }
    const auto inputs = inputsOf(workspace, *campaign);
    if (!inputs) {
        return Failure(inputs.error());
    }
    if (options.begun) {
        options.begun(id);
    }
    std::cerr << fmt::format("going on with campaign {}, {}\n", id, printable(campaign->plan));
    return work(workspace, *campaign, *inputs, control, lock, options);
}

}  // namespace

Result<int> startCampaign(const store::Workspace& workspace, const Inputs& inputs,
                          const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = run::WorkspaceLock::take(workspace);
    if (!lock) {
        return Failure(lock.error());
    }
    (void)run::takeRequests(workspace);  // what was asked of an earlier runner is not meant for this one
    const auto campaign =
        run::createCampaign(workspace, inputs.campaign, inputs.prepared, settingsOf(options));
    if (!campaign) {
        return Failure(campaign.error());
    }
    if (auto said = lock->workOn(campaign->id); !said) {
        return Failure(said.error());
    }
    if (options.begun) {
        options.begun(campaign->id);
    }
    run::Control control(workspace, signals);
    return work(workspace, *campaign, inputs, control, *lock, options);
}

Result<int> resumeCampaigns(const store::Workspace& workspace, const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = run::WorkspaceLock::take(workspace);
    if (!lock) {
        return Failure(lock.error());
    }
    run::Control control(workspace, signals);
    int exitCode = 0;
    for (const std::string& id : run::campaignIds(workspace)) {
        const auto code = resumeCampaign(workspace, id, control, *lock, options);
        exitCode = std::max(exitCode, code ? *code : complain("resume", code.error()));
        if (!code && code.error().kind == ErrorKind::Input) {  // it cannot be read; the others can
            std::cerr << fmt::format("campaign {} is skipped; to give it up, move {} away\n", id,
                                     run::campaignFolder(workspace, id).string());
        }
    }
    return std::min(exitCode, 1);  // what cannot be read here is no wrong usage
}

Result<int> retryCampaign(const store::Workspace& workspace, std::string id,
                          const std::set<std::string>& runIds, const RunnerOptions& options) {
    const run::HeldSignals signals(options.detached);
    auto lock = run::WorkspaceLock::take(workspace);
    if (!lock) {
        return Failure(lock.error());
    }
    if (const auto ids = run::campaignIds(workspace); id.empty() && !ids.empty()) {
        id = ids.back();
    }
    if (id.empty()) {
        return fail("nothing has run here yet", workspace.root().string(), "`dlperf run` runs a plan.");
    }
    (void)run::takeRequests(workspace);  // what was asked of an earlier runner is not meant for this one
    if (auto queued = run::retryRuns(workspace, id, runIds); !queued) {
        return Failure(queued.error());
    }
    run::Control control(workspace, signals);
    return resumeCampaign(workspace, id, control, *lock, options);
}

}  // namespace dlperf::app
