// SPDX-License-Identifier: Apache-2.0
#include "core/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/file.h"
#include "core/run/key_versions.h"
#include "core/run/run_folder.h"

namespace dlperf::run {

struct Runner::Work {
    const Campaign& campaign;
    const cluster::Cluster& cluster;
    const launch::PreparedPlan& prepared;
    const launch::Plan& plan;
    Journal journal;
    CampaignState state;
    std::set<std::string> leftOut{};  // the runs to be left out, as last noted

    std::filesystem::path folderOf(std::size_t number) const { return state.runs[number].workFolder; }
};

namespace {

// How long the runner sleeps at most while it waits for a request or for the end of a pause.
constexpr std::chrono::milliseconds nap{500};

RunResult resultOf(const CampaignRun& planned, const RunProgress& progress) {
    RunResult result = planned.record.result;
    result.repetition = progress.repetition > 0 ? progress.repetition : result.repetition;
    result.outcome = progress.outcome;
    result.reason = progress.reason;
    result.throughput = progress.throughput;
    result.folder = progress.folder;
    result.started = progress.started;
    result.ended = progress.ended;
    return result;
}

// What an earlier runner was asked to leave out and did not come to.
std::set<std::string> leftOutBefore(const Campaign& campaign, const CampaignState& state) {
    std::set<std::string> ids;
    for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
        if (state.runs[number].leftOut && state.runs[number].state == RunState::Queued) {
            ids.insert(campaign.runs[number].record.result.id);
        }
    }
    return ids;
}

}  // namespace

bool CampaignEnd::allOk() const {
    return std::all_of(results.begin(), results.end(),
                       [](const RunResult& result) { return result.outcome == Outcome::Ok; });
}

Runner::Runner(store::Workspace workspace, remote::TransportFactory transports, Control& control,
               Settings settings, Observer observer)
    : workspace_(std::move(workspace)),
      transports_(std::move(transports)),
      control_(control),
      settings_(std::move(settings)),
      observer_(std::move(observer)) {}

Result<CampaignEnd> Runner::run(const Campaign& campaign, const cluster::Cluster& cluster,
                                const launch::PreparedPlan& prepared, const launch::Plan& plan,
                                WorkspaceLock& lock) {
    const auto file = campaignFolder(workspace_, campaign.id) / "journal.jsonl";
    auto journal = Journal::open(file);
    if (!journal) {
        return Failure(journal.error());
    }
    if (auto said = lock.workOn(campaign.id); !said) {
        return Failure(said.error());
    }
    settings_.grace = campaign.grace;
    settings_.lostAfter = campaign.lostAfter;
    settings_.patience = std::min(settings_.patience, campaign.lostAfter);
    Work work{campaign,
              cluster,
              prepared,
              plan,
              std::move(*journal),
              foldJournal(readJournal(file), campaign.runs.size())};
    work.leftOut = leftOutBefore(campaign, work.state);
    control_.cancelRuns(work.leftOut);
    for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
        if (work.state.runs[number].state == RunState::Finished) {
            continue;
        }
        if (auto done = oneRun(work, number); !done) {
            return Failure(done.error());
        }
    }
    CampaignEnd end{{}, control_.cancelledBy()};
    for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
        end.results.push_back(resultOf(campaign.runs[number], work.state.runs[number]));
    }
    return end;
}

Result<void> Runner::oneRun(Work& work, std::size_t number) {
    const RunProgress& progress = work.state.runs[number];
    if (progress.ending) {  // the verdict stands; only the names may be missing
        RunEnd end;
        end.verdict = {progress.outcome, progress.reason};
        end.throughput = progress.throughput;
        end.started = progress.started;
        end.ended = progress.ended;
        return close(work, number, end);
    }
    const std::string& id = work.campaign.runs[number].record.result.id;
    const bool takenUp = progress.state != RunState::Queued;
    if (!takenUp) {
        if (auto waited = waitWhilePaused(work); !waited) {
            return waited;
        }
        if (const std::string by = control_.cancelledBy(id); !by.empty()) {
            return leaveOut(work, number, "cancelled by " + by + " before it began");
        }
        if (auto begun = begin(work, number); !begun) {
            return begun;
        }
    }
    const auto end = execute(work, number);
    if (!end) {
        return Failure(end.error());
    }
    if (end->leftOpen) {
        return Failure(*end->leftOpen);
    }
    if (!takenUp) {  // else the run may have been started long ago
        versions_[work.prepared.runs[number].recipe] = end->versions;
    }
    if (auto closed = close(work, number, *end); !closed) {
        return closed;
    }
    if (end->brokenJournal) {
        return Failure(*end->brokenJournal);
    }
    pauseBetween(work, number);
    return {};
}

Result<void> Runner::waitWhilePaused(Work& work) {
    for (;;) {
        if (auto noted = noteRequests(work); !noted) {
            return noted;
        }
        if (!work.state.paused || !control_.cancelledBy().empty()) {
            return {};
        }
        control_.wait(nap);
    }
}

// What is asked and what the journal says are made to agree.
Result<void> Runner::noteRequests(Work& work) {
    if (auto noted = noteLeftOut(work); !noted) {
        return noted;
    }
    const bool paused = control_.paused();
    if (paused == work.state.paused) {
        return {};
    }
    work.state.paused = paused;
    return work.journal.write({{"event", paused ? "paused" : "continued"}});
}

Result<void> Runner::noteLeftOut(Work& work) {
    std::set<std::string> asked = control_.cancelledRuns();
    if (asked == work.leftOut) {
        return {};
    }
    work.leftOut = std::move(asked);
    for (std::size_t number = 0; number < work.campaign.runs.size(); ++number) {
        RunProgress& progress = work.state.runs[number];
        const bool leftOut = work.leftOut.contains(work.campaign.runs[number].record.result.id);
        if (progress.state != RunState::Queued || progress.leftOut == leftOut) {
            continue;
        }
        progress.leftOut = leftOut;
        if (auto written = work.journal.write({{"event", leftOut ? "left-out" : "kept"}, {"run", number}});
            !written) {
            return written;
        }
    }
    return {};
}

void Runner::pauseBetween(const Work& work, std::size_t number) {
    if (number + 1 == work.campaign.runs.size()) {
        return;
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(work.plan.pauseSeconds);
    while (control_.cancelledBy().empty() && std::chrono::steady_clock::now() < until) {
        const auto left = until - std::chrono::steady_clock::now();
        control_.wait(std::min(nap, std::chrono::ceil<std::chrono::milliseconds>(left)));
    }
}

// The journal names the folder before it is made.
Result<void> Runner::begin(Work& work, std::size_t number) {
    const CampaignRun& planned = work.campaign.runs[number];
    const RunFolder folder =
        chooseRunFolder(workspace_, planned.record.result.benchmarkCase, planned.record.result.repetition);
    RunProgress& progress = work.state.runs[number];
    progress.repetition = folder.repetition;
    progress.folder = progress.workFolder = folder.path.string();
    progress.state = RunState::Preparing;
    progress.started = now();
    return work.journal.write(beganEvent(number, folder.repetition, progress.folder));
}

// A journal may name a folder that its runner never made; another campaign may have taken the name since.
bool Runner::belongsToAnother(const Work& work, std::size_t number) const {
    const std::filesystem::path folder = workspace_.root() / work.folderOf(number);
    std::error_code error;
    if (!std::filesystem::exists(folder / "run.json", error)) {
        return !std::filesystem::exists(folder, error) &&
               std::filesystem::exists(folder.string() + ".log", error);
    }
    const auto record = store::readRunRecord(folder);
    return !record || record->result.id != work.campaign.runs[number].record.result.id;
}

// The run's folder with run.json in it, also when an earlier runner named it in the journal and got no
// further.
Result<void> Runner::makeFolder(Work& work, std::size_t number) {
    if (belongsToAnother(work, number)) {
        if (auto begun = begin(work, number); !begun) {
            return begun;
        }
    }
    const std::filesystem::path folder = workspace_.root() / work.folderOf(number);
    if (auto made = makeFolders(folder); !made) {
        return made;
    }
    std::error_code error;
    if (std::filesystem::exists(folder / "run.json", error)) {
        return {};
    }
    store::RunRecord record = work.campaign.runs[number].record;
    record.result = resultOf(work.campaign.runs[number], work.state.runs[number]);
    return store::writeRunRecord(folder, record);
}

Progress Runner::progressOf(const Work& work, std::size_t number) const {
    Progress progress;
    const RunResult result = resultOf(work.campaign.runs[number], work.state.runs[number]);
    progress.run = number;
    progress.total = work.campaign.runs.size();
    progress.runId = result.id;
    progress.benchmarkCase = result.benchmarkCase;
    progress.repetition = result.repetition;
    progress.window = result.window;
    progress.unit = result.unit;
    return progress;
}

Result<std::vector<NodeRun>> Runner::nodesOf(Work& work, std::size_t number) {
    std::vector<NodeRun> nodes;
    for (const launch::NodeLaunch& launch : work.prepared.runs[number].nodes) {
        const auto node =
            std::find_if(work.cluster.nodes.begin(), work.cluster.nodes.end(),
                         [&](const cluster::Node& candidate) { return candidate.name == launch.node; });
        auto& transport = open_[launch.node];
        if (!transport) {
            auto opened = transports_(*node);
            if (!opened) {
                return Failure(opened.error());
            }
            transport = std::move(*opened);
        }
        nodes.emplace_back(transport, *node, launch, work.campaign.runs[number].record.result.id);
    }
    return nodes;
}

Result<RunEnd> Runner::execute(Work& work, std::size_t number) {
    if (auto made = makeFolder(work, number); !made) {
        return Failure(made.error());
    }
    const std::filesystem::path folder = workspace_.root() / work.folderOf(number);
    auto journal = Journal::open(folder / "journal.jsonl");
    if (!journal) {
        return Failure(journal.error());
    }
    auto nodes = nodesOf(work, number);
    if (!nodes) {
        RunEnd end;
        end.verdict = {Outcome::Failed, describe(nodes.error())};
        end.started = work.state.runs[number].started;
        end.ended = now();
        return end;
    }
    RunTask task{work.campaign.runs[number].record.result.id,
                 work.prepared.runs[number],
                 work.state.runs[number].repetition,
                 folder,
                 work.plan.timeoutSeconds,
                 versions_[work.prepared.runs[number].recipe],
                 [this](const std::string& id) { return isOver(workspace_, id); }};
    auto last = work.state.runs[number].state;
    auto troubles = work.state.runs[number].troubles;
    const Observer observer = [&](const Progress& progress) {
        (void)noteRequests(work);  // what is not noted here is only a status that lags
        if (progress.state != last) {
            last = progress.state;
            (void)work.journal.write(stateEvent(number, progress.state));
        }
        if (progress.troubles != troubles) {
            troubles = progress.troubles;
            (void)work.journal.write(troublesEvent(number, troubles));
        }
        if (observer_) {
            observer_(progress);
        }
    };
    RunExecution execution(std::move(task), std::move(*nodes), std::move(*journal), control_, settings_,
                           progressOf(work, number), observer);
    return execution.execute();
}

// run.json first, then the verdict in the journal, then the names: after a crash each step finds what it
// needs.
Result<void> Runner::close(Work& work, std::size_t number, const RunEnd& end) {
    RunProgress& progress = work.state.runs[number];
    const bool again = progress.ending;
    const std::filesystem::path folder = progress.workFolder;
    if (!again) {
        progress.outcome = end.verdict.outcome;
        progress.reason = end.verdict.reason;
        progress.throughput = end.throughput;
        progress.started = end.started;
        progress.ended = end.ended;
        progress.ending = true;
        progress.folder =
            progress.outcome == Outcome::Ok ? folder.string() : attemptFolder(workspace_, folder).string();
        store::RunRecord record = work.campaign.runs[number].record;
        record.result = resultOf(work.campaign.runs[number], progress);
        record.facts = end.facts;
        record.result.versions = keyVersions(end.versions, record.result.benchmarkCase.subject.framework,
                                             work.prepared.runs[number].neededPython);
        if (auto written = store::writeRunRecord(workspace_.root() / folder, record); !written) {
            return written;
        }
        if (auto noted = work.journal.write(verdictEvent("ending", number, record.result)); !noted) {
            return noted;
        }
    }
    if (auto settled = settleNames(workspace_, folder, progress.folder, progress.outcome); !settled) {
        return settled;
    }
    progress.ending = false;
    progress.state = RunState::Finished;
    if (observer_) {
        Progress told = progressOf(work, number);
        told.state = RunState::Finished;
        told.outcome = progress.outcome;
        told.throughput = progress.throughput;
        told.message = progress.reason;
        told.hints = diagnosis::hintsFromJson(end.facts.value("diagnosis", Json()));
        observer_(told);
    }
    return work.journal.write(verdictEvent("ended", number, resultOf(work.campaign.runs[number], progress)));
}

// A run that never began leaves no folder.
Result<void> Runner::leaveOut(Work& work, std::size_t number, const std::string& reason) {
    RunProgress& progress = work.state.runs[number];
    progress.outcome = Outcome::NotRun;
    progress.reason = reason;
    progress.state = RunState::Finished;
    return work.journal.write(verdictEvent("ended", number, resultOf(work.campaign.runs[number], progress)));
}

namespace {

// What a run that is prepared again has otherwise than the campaign; empty if nothing.
std::string differenceOf(const CampaignRun& run, const launch::PlannedRun& again) {
    const RunResult& planned = run.record.result;
    std::vector<std::string> nodes;
    for (const launch::NodeLaunch& node : again.nodes) {
        nodes.push_back(node.node);
    }
    const std::pair<const char*, bool> same[] = {
        {"another case", planned.benchmarkCase == again.benchmarkCase},
        {"another window", planned.window == again.window},
        {"another log format", planned.format == again.format},
        {"another unit", planned.unit == again.unit},
        {"other nodes", run.nodes == nodes}};
    for (const auto& [what, holds] : same) {
        if (!holds) {
            return what;
        }
    }
    return {};
}

}  // namespace

Result<launch::PreparedPlan> prepareAgain(const Campaign& campaign, const CampaignInputs& inputs,
                                          const Vocabulary& vocabulary) {
    auto prepared = launch::prepare(inputs.plan, inputs.cluster, inputs.recipes, vocabulary);
    if (!prepared) {
        return prepared;
    }
    const std::string where = "campaign " + campaign.id;
    if (prepared->runs.size() != campaign.runs.size()) {
        return fail(fmt::format("the plan gives {} runs, the campaign has {}", prepared->runs.size(),
                                campaign.runs.size()),
                    where, "Start the plan anew.");
    }
    for (std::size_t i = 0; i < prepared->runs.size(); ++i) {
        if (const auto other = differenceOf(campaign.runs[i], prepared->runs[i]); !other.empty()) {
            return fail(fmt::format("its files were changed: run {} has {} than at its start",
                                    campaign.runs[i].record.result.id, other),
                        where, "Put plan, cluster and recipes in its folder back, or start the plan anew.");
        }
    }
    return prepared;
}

}  // namespace dlperf::run
