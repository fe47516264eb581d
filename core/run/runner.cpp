// SPDX-License-Identifier: Apache-2.0
#include "core/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/model/case.h"
#include "core/run/key_versions.h"
#include "core/run/on_all_nodes.h"
#include "core/run/runner_work.h"
#include "core/run/trials.h"
#include "core/store/fields.h"
#include "core/store/run_record.h"
#include "core/store/workspace.h"

namespace dlperf::run {

namespace {

// Names of a run in the workspace: its folder while it runs, DLPerf's log name when it is ok, ".attempt<k>"
// when not.
struct RunFolder {
    int repetition = 0;
    std::filesystem::path path;  // relative to the workspace
};

namespace fs = std::filesystem;

Failure failed(const std::string& what, const fs::path& path, const std::error_code& error) {
    return fail(what + ": " + error.message(), path.string(), "Check the workspace's permissions and space.",
                ErrorKind::Work);
}

// A hard link where the file system has them, else a copy that appears whole.
Result<void> giveLogItsName(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::exists(to, error)) {  // an earlier runner did it
        return {};
    }
    fs::create_hard_link(from, to, error);
    if (!error) {
        return {};
    }
    const fs::path temporary = to.string() + ".part";
    fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, error);
    if (!error) {
        fs::rename(temporary, to, error);
    }
    return error ? Result<void>(failed("the log cannot be named", to, error)) : Result<void>();
}

// The folder of the repetition, or of the next free one when it was taken meanwhile. Nothing is made yet.
RunFolder chooseRunFolder(const store::Workspace& workspace, const Case& benchmarkCase, int repetition) {
    const fs::path parent = workspace.caseFolder(benchmarkCase);
    const std::string name = store::runName(benchmarkCase.configuration, repetition);
    std::error_code error;
    if (fs::exists(parent / name, error) || fs::exists(parent / (name + ".log"), error)) {
        repetition = workspace.freeRepetitions(benchmarkCase, 1).front();
    }
    const fs::path folder = parent / store::runName(benchmarkCase.configuration, repetition);
    return {repetition, folder.lexically_relative(workspace.root())};
}

// The folder that a run which failed gets in the end: "….attempt<k>" with the next free k.
fs::path attemptFolder(const store::Workspace& workspace, const fs::path& folder) {
    std::error_code error;
    for (int k = 1;; ++k) {
        fs::path attempt = fmt::format("{}.attempt{}", folder.string(), k);
        if (!fs::exists(workspace.root() / attempt, error)) {
            return attempt;
        }
    }
}

// Settles the names; may be repeated. Ok: node 0's log appears under DLPerf's name beside its folder. Else
// the folder gets its final name.
Result<void> settleNames(const store::Workspace& workspace, const RunState& run) {
    const fs::path path = workspace.root() / run.workFolder;
    const fs::path settled = workspace.root() / run.folder;
    if (run.outcome == Outcome::Ok) {
        return giveLogItsName(path / "node0.log", path.string() + ".log");
    }
    std::error_code error;
    if (fs::exists(settled, error) || !fs::exists(path, error)) {  // an earlier runner did it
        return {};
    }
    const auto record = store::readRunRecord(path);
    if (!record || record->result.id != run.id) {  // so too, and another run has the name by now
        return {};
    }
    fs::rename(path, settled, error);
    return error ? Result<void>(failed("the run's folder cannot be renamed", path, error)) : Result<void>();
}

// At its first attempt: a trainer with a port of its own would find that one taken for ever.
bool foundItsPortTaken(const RunState& run) {
    return run.outcome == Outcome::Failed && parseRunId(run.id).attempt == 1 &&
           std::ranges::any_of(run.hints, [](const auto& hint) { return hint.rule == "port-in-use"; });
}

// How long the runner sleeps at most while it waits for a request or for the end of a pause.
constexpr std::chrono::milliseconds nap{500};

// What an earlier runner was asked to skip and did not come to.
std::set<std::string> skippedBefore(const Campaign& campaign) {
    std::set<std::string> ids;
    for (const RunState& run : campaign.runs) {
        if (run.skipped && run.phase == RunPhase::Queued) {
            ids.insert(run.id);
        }
    }
    return ids;
}

}  // namespace

Runner::Runner(store::Workspace workspace, remote::TransportFactory transports, Control& control,
               Settings settings, Observer observer)
    : workspace_(std::move(workspace)),
      transports_(std::move(transports)),
      control_(control),
      settings_(std::move(settings)),
      observer_(std::move(observer)) {}

Result<CampaignEnd> Runner::run(Campaign campaign, const RunnerInputs& inputs, WorkspaceLock& lock) {
    TRY(lock.workOn(campaign.id));
    auto journal = TRY(Journal::open(journalFile(workspace_, campaign.id)));
    TRY(replayJournal(workspace_, campaign));
    settings_.grace = campaign.grace;
    settings_.lostAfter = campaign.lostAfter;
    settings_.lease = campaign.lease;
    if (settings_.lease.count() > 0) {
        settings_.heartbeat = std::min(settings_.heartbeat, settings_.lease / 4);
    }
    settings_.retryTimeout = std::min(settings_.retryTimeout, campaign.lostAfter);
    Work work{std::move(campaign), inputs, std::move(journal)};
    work.skipped = skippedBefore(work.campaign);
    control_.cancelRuns(work.skipped);
    TRY(prepareAdded(work));
    for (std::size_t next = 0; next < work.campaign.runs.size();) {
        const std::size_t first = std::exchange(next, work.campaign.runs.size());
        TRY(workThrough(work, first));
        TRY(addRuns(work));
    }
    endJob(work);
    std::erase_if(work.campaign.runs, &RunState::deleted);  // as a status does
    CampaignEnd end{{}, control_.cancelledBy(), std::move(work.campaign)};
    std::ranges::copy_if(end.campaign.runs, std::back_inserter(end.results),
                         std::not_fn(&RunState::alreadyThere));
    return end;
}

// The runs from this one on that have not ended.
Result<void> Runner::workThrough(Work& work, std::size_t first) {
    std::vector<std::size_t> later;
    for (std::size_t number = first; number < work.campaign.runs.size(); ++number) {
        if (!lostNodesOf(work, number).empty()) {
            later.push_back(number);
        } else if (work.campaign.runs[number].phase != RunPhase::Finished) {
            TRY(oneRun(work, number));
            TRY(oneMoreWithAnotherPort(work, number));
        }
    }
    const auto until = std::chrono::steady_clock::now() + settings_.lostAfter;
    for (const std::size_t number : later) {
        TRY(runWhenNodesAreBack(work, number, until));
    }
    return {};
}

// Between the search for a free port and the trainer's own use of it others may take it.
Result<void> Runner::oneMoreWithAnotherPort(Work& work, std::size_t number) {
    RunState& run = work.campaign.runs[number];
    if (!foundItsPortTaken(run)) {
        return {};
    }
    TRY(note(work, number, event::Retried{}));
    run.message = "its port was taken meanwhile: it runs once more, with another one";
    publish(work, number);
    return oneRun(work, number);
}

// What the runs that ended ask for.
Result<void> Runner::addRuns(Work& work) {
    const auto wanted = wantedRuns(work.campaign);
    for (const WantedRun& one : wanted) {
        Case next = work.campaign.runs[one.like].benchmarkCase;
        next.configuration.batchSize = one.batchSize;
        next.configuration.variant = one.variant.value_or(next.configuration.variant);
        TRY(note(work, one.like,
                 event::Added{one.batchSize, workspace_.freeRepetitions(next, 1).front(), one.variant}));
    }
    if (!wanted.empty()) {
        pauseBetween(work);
    }
    return prepareAdded(work);
}

Result<void> Runner::prepareAdded(Work& work) {
    const RunnerInputs& inputs = work.inputs;
    for (std::size_t number = inputs.prepared.runs.size() + work.added.size();
         number < work.campaign.runs.size(); ++number) {
        auto planned = TRY(launch::prepareCase(inputs.campaign.plan, work.campaign.runs[number].benchmarkCase,
                                               inputs.campaign.cluster, inputs.campaign.recipes,
                                               inputs.vocabulary, inputs.formats));
        work.added.push_back(std::move(planned));
    }
    return {};
}

// Applies what happened to the run and writes it down.
Result<void> Runner::note(Work& work, std::size_t number, Happening what) {
    const Event event{std::move(what), number};
    apply(work.campaign, event);
    return work.journal.write(event);
}

void Runner::publish(const Work& work, std::size_t number) const {
    if (observer_) {
        observer_(work.campaign, number);
    }
}

Result<void> Runner::oneRun(Work& work, std::size_t number) {
    const RunState& run = work.campaign.runs[number];
    if (run.settling) {
        return settle(work, number);
    }
    const bool resumed = run.phase != RunPhase::Queued;
    if (!resumed) {
        TRY(waitWhilePaused(work));
        if (const std::string by = control_.cancelledBy(run.id); !by.empty()) {
            return skip(work, number, "cancelled by " + by + " before it began");
        }
        if (failures_.reach(settings_.stopAfter, run.benchmarkCase)) {
            return skip(work, number,
                        fmt::format("the last {} runs failed alike; mend that, then `dlperf retry` runs it",
                                    failures_.count()));
        }
        TRY(begin(work, number));
    }
    auto remains = TRY(execute(work, number));
    if (!resumed) {  // else the run may have been started long ago
        versions_[work.planned(number).recipe] = remains.versions;
    }
    TRY(close(work, number, remains));
    if (!run.endedByCluster) {
        failures_.take(run);
    }
    if (remains.brokenJournal) {
        return Failure(*remains.brokenJournal);
    }
    if (run.outcome == Outcome::Failed && !run.slurm) {
        findLostNodes(work);
    }
    if (number + 1 < work.campaign.runs.size()) {
        pauseBetween(work);
    }
    return {};
}

Result<void> Runner::waitWhilePaused(Work& work) {
    for (;;) {
        TRY(noteRequests(work));
        if (!work.campaign.paused || !control_.cancelledBy().empty()) {
            return {};
        }
        control_.wait(nap);
    }
}

// What is asked and what the journal says are made to agree.
Result<void> Runner::noteRequests(Work& work) {
    TRY(noteSkipped(work));
    const bool paused = control_.paused();
    if (paused == work.campaign.paused) {
        return {};
    }
    const Event event{event::PauseChanged{paused}};
    apply(work.campaign, event);
    return work.journal.write(event);
}

Result<void> Runner::noteSkipped(Work& work) {
    std::set<std::string> asked = control_.cancelledRuns();
    if (asked == work.skipped) {
        return {};
    }
    work.skipped = std::move(asked);
    for (std::size_t number = 0; number < work.campaign.runs.size(); ++number) {
        const RunState& run = work.campaign.runs[number];
        const bool skipped = work.skipped.contains(run.id);
        if (run.phase != RunPhase::Queued || run.skipped == skipped) {
            continue;
        }
        TRY(note(work, number, event::SkipChanged{skipped}));
    }
    return {};
}

void Runner::pauseBetween(const Work& work) {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::seconds(work.inputs.campaign.plan.pauseSeconds);
    while (control_.cancelledBy().empty() && std::chrono::steady_clock::now() < until) {
        const auto left = until - std::chrono::steady_clock::now();
        control_.wait(std::min(nap, std::chrono::ceil<std::chrono::milliseconds>(left)));
    }
}

// The journal names the folder before it is made.
Result<void> Runner::begin(Work& work, std::size_t number) {
    const RunState& run = work.campaign.runs[number];
    const RunFolder folder = chooseRunFolder(workspace_, run.benchmarkCase, run.repetition);
    return note(work, number, event::Began{folder.repetition, folder.path.string()});
}

// A journal may name a folder that its runner never made; another campaign may have taken the name since.
bool Runner::belongsToAnother(const RunState& run) const {
    const std::filesystem::path folder = workspace_.root() / run.workFolder;
    std::error_code error;
    if (!std::filesystem::exists(folder / "run.json", error)) {
        return !std::filesystem::exists(folder, error) &&
               std::filesystem::exists(folder.string() + ".log", error);
    }
    const auto record = store::readRunRecord(folder);
    return !record || record->result.id != run.id;
}

// The run's folder with run.json in it, also when an earlier runner named it in the journal and got no
// further.
Result<void> Runner::makeFolder(Work& work, std::size_t number) {
    const RunState& run = work.campaign.runs[number];
    if (belongsToAnother(run)) {
        TRY(begin(work, number));
    }
    const std::filesystem::path folder = workspace_.root() / run.workFolder;
    TRY(makeFolders(folder));
    std::error_code error;
    if (std::filesystem::exists(folder / "run.json", error)) {
        return {};
    }
    return store::writeRunRecord(folder, {run.result(), run.recipeTitle, work.campaign.plan, Json::object()});
}

Result<std::vector<NodeRun>> Runner::nodesOf(Work& work, std::size_t number, const Given& given) {
    std::vector<NodeRun> nodes;
    for (const launch::NodeLaunch& launch : given.planned.nodes) {
        const auto node = std::ranges::find(given.nodes, launch.node, &cluster::Node::name);
        auto& transport = open_[launch.node + (node->seat ? " of job " + node->seat->job : "")];
        if (!transport) {
            transport = TRY(node->seat ? remote::jobTransports(work.login)(*node) : transports_(*node));
        }
        nodes.emplace_back(transport, *node, launch, work.campaign.runs[number].id);
    }
    return nodes;
}

Result<RunRemains> Runner::execute(Work& work, std::size_t number) {
    TRY(makeFolder(work, number));
    auto given = TRY(giveNodes(work, number));
    if (!given.refusal) {
        if (auto nodes = nodesOf(work, number, given)) {
            return executeOn(work, number, given.planned, std::move(*nodes));
        } else {
            given.refusal = {Outcome::Failed, describe(nodes.error())};
        }
    }
    RunState& run = work.campaign.runs[number];
    run.outcome = given.refusal->outcome;
    run.reason = given.refusal->reason;
    run.ended = now();
    return RunRemains{};
}

Result<RunRemains> Runner::executeOn(Work& work, std::size_t number, const launch::PlannedRun& planned,
                                     std::vector<NodeRun> nodes) {
    RunState& run = work.campaign.runs[number];
    const std::filesystem::path folder = workspace_.root() / run.workFolder;
    auto journal = TRY(Journal::open(folder / "journal.jsonl"));
    const auto earlier = TRY(readJournal(folder / "journal.jsonl"));
    for (const Event& event : earlier) {
        apply(run, event);
    }
    RunTask task{planned,
                 folder,
                 work.inputs.campaign.plan.timeoutSeconds,
                 versions_[planned.recipe],
                 [this](const std::string& id) { return isOver(workspace_, id); },
                 [this, &run] { return (haveAnswered_ || !run.claims.empty()) && !anyAnswers(askNodes()); }};
    // Whatever cannot be written here only makes the status lag.
    const PublishProgress publishProgress = [&](RunPhase phase, const std::vector<NodeAlert>& alerts) {
        (void)noteRequests(work);
        if (phase != run.phase) {
            (void)note(work, number, event::PhaseReached{phase});
        }
        if (alerts != run.alerts) {
            (void)note(work, number, event::AlertsChanged{alerts});
        }
        publish(work, number);
    };
    auto remains = executeRun(
        {std::move(task), std::move(nodes), std::move(journal), control_, settings_, run, publishProgress});
    haveAnswered_ = haveAnswered_ || !run.claims.empty();
    return remains;
}

// run.json first, then the verdict in the journal, then the names: after a crash each step finds what it
// needs.
Result<void> Runner::close(Work& work, std::size_t number, const RunRemains& remains) {
    RunState& run = work.campaign.runs[number];
    if (run.outcome != Outcome::Ok) {
        run.folder = attemptFolder(workspace_, run.workFolder).string();
    }
    const launch::PlannedRun& planned = work.planned(number);
    run.versions = keyVersions(remains.versions, run.benchmarkCase.configuration.framework,
                               planned.isPython(), planned.neededPackages);
    store::RunRecord record{run.result(), run.recipeTitle, work.campaign.plan, remains.facts};
    std::vector<RunFinding> warnings = work.campaign.warnings;
    warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
    if (!warnings.empty()) {
        record.facts["check_warnings"] = store::findingsJson(warnings);
    }
    TRY(store::writeRunRecord(workspace_.root() / run.workFolder, record));
    TRY(note(work, number, endOf(run, false)));
    if (!work.campaign.keepNodeFiles && !remains.brokenJournal &&
        !remains.copied.empty()) {  // by now run.json and journal say all of it
        auto nodes = remains.copied;
        (void)onAllNodes(nodes, [](NodeRun& node, std::size_t) { return node.removeFiles(); });
    }
    return settle(work, number);
}

// The verdict stands; only the names may be missing, and the nodes not yet given back.
Result<void> Runner::settle(Work& work, std::size_t number) {
    const RunState& run = work.campaign.runs[number];
    TRY(settleNames(workspace_, run));
    giveJobBack(work, number);
    auto noted = note(work, number, endOf(run, true));
    publish(work, number);
    return noted;
}

// A run that never began leaves no folder.
Result<void> Runner::skip(Work& work, std::size_t number, const std::string& reason) {
    event::Ended ended{true, {Outcome::NotRun, reason}, {}, {}, {}, {}};
    giveJobBack(work, number);
    return note(work, number, std::move(ended));
}

namespace {

// What a run that is prepared again has otherwise than the campaign; empty if nothing.
std::string differenceOf(const RunState& run, const launch::PlannedRun& again) {
    const auto nodes = mapped(again.nodes, &launch::NodeLaunch::node);
    const std::pair<const char*, bool> same[] = {{"another case", run.benchmarkCase == again.benchmarkCase},
                                                 {"another measurement range", run.range == again.range},
                                                 {"another log format", run.format == again.format},
                                                 {"another unit", run.unit == again.unit},
                                                 {"other nodes", run.slurm || run.nodes == nodes}};
    for (const auto& [what, holds] : same) {
        if (!holds) {
            return what;
        }
    }
    return {};
}

}  // namespace

Result<launch::PreparedPlan> prepareAgain(const Campaign& campaign, const CampaignInputs& inputs,
                                          const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    auto prepared = TRY(launch::prepare(inputs.plan, inputs.cluster, inputs.recipes, vocabulary, formats,
                                        launch::PlanIs::Begun));
    const std::string where = "campaign " + campaign.id;
    if (prepared.runs.size() > campaign.runs.size()) {  // what was skipped at its start stays so
        std::set<Case> begun;
        for (const RunState& run : campaign.runs) {
            begun.insert(run.benchmarkCase);
        }
        std::erase_if(prepared.runs,
                      [&begun](const launch::PlannedRun& run) { return !begun.contains(run.benchmarkCase); });
    }
    if (prepared.runs.size() != campaign.runs.size()) {
        return fail(fmt::format("the plan gives {} runs, the campaign has {}", prepared.runs.size(),
                                campaign.runs.size()),
                    where, "Start the plan anew.");
    }
    for (std::size_t i = 0; i < prepared.runs.size(); ++i) {
        if (const auto other = differenceOf(campaign.runs[i], prepared.runs[i]); !other.empty()) {
            return fail(fmt::format("its files were changed: run {} has {} than at its start",
                                    campaign.runs[i].id, other),
                        where, "Put plan, cluster and recipes in its folder back, or start the plan anew.");
        }
    }
    return prepared;
}

}  // namespace dlperf::run
