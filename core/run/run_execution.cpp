// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/run/node_scripts.h"
#include "core/run/node_stop.h"
#include "core/run/on_all_nodes.h"
#include "core/run/run_diagnosis.h"
#include "core/store/fields.h"

namespace dlperf::run {
namespace {

constexpr std::uint64_t mostOfLog = 16U << 20U;      // of a log, before the nodes are looked at again
constexpr std::uint64_t mostTelemetry = 64U << 20U;  // bytes that are still to come at the end
constexpr std::chrono::seconds lastAnswer{5};        // that a node which counts as lost is given

// The environment as a file of the run's folder: secrets are named, never written.
std::string maskedEnvironment(const std::map<std::string, std::string>& environment,
                              const std::vector<std::string>& secrets) {
    std::string text = exportLines(environment);
    for (const std::string& name : secrets) {
        text += fmt::format("# {} is a secret and was not written here\n", name);
    }
    return text;
}

// Between two looks at a busy node; uneven, so that two runs that want the same nodes do not stay in step.
std::chrono::milliseconds busyNap() {
    return std::chrono::milliseconds(300 + std::random_device{}() % 500);
}

template <class Value>
const Error* firstError(const std::vector<Result<Value>>& results) {
    const auto found =
        std::find_if(results.begin(), results.end(), [](const auto& result) { return !result; });
    return found == results.end() ? nullptr : &found->error();
}

}  // namespace

RunExecution::RunExecution(RunTask task, std::vector<NodeRun> nodes, Journal journal, Control& control,
                           Settings settings, RunState& state, PublishProgress publish)
    : task_(std::move(task)),
      nodes_(std::move(nodes)),
      journal_(std::move(journal)),
      control_(control),
      settings_(std::move(settings)),
      state_(state),
      publish_(std::move(publish)),
      copies_(nodes_.size()),
      watches_(nodes_.size()),
      keepers_(nodes_.size()),
      versions_(task_.versions),
      startedBefore_(nodes_.size()),
      workerFolders_(nodes_.size()) {
    if (auto kept = readVersions(task_.folder)) {  // by an earlier runner
        versions_.merge(*kept);
    }
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        logs_.emplace_back(state_, rank, task_.folder, settings_.rules);
        stalls_.emplace_back(nodes_[rank].name(), settings_.moment);
    }
}

// A journal that cannot be written ends the run (see watch), for nothing more could be promised.
void RunExecution::note(Happening what) {
    const Event event{std::move(what)};
    apply(state_, event);
    if (auto written = journal_.write(event); !written && !brokenJournal_) {
        brokenJournal_ = written.error();
    }
}

void RunExecution::publishProgress(RunPhase phase, std::string message,
                                   const std::vector<NodeAlert>& alerts) {
    if (const auto& latest = logs_[0].latest()) {
        state_.iteration = latest->number;
        state_.speed = latest->throughput;
    }
    state_.message = std::move(message);
    publish_(phase, alerts);
}

Result<RunRemains> RunExecution::execute() {
    if (!state_.stop) {
        note(run());
    }
    publishProgress(RunPhase::Stopping);
    const std::vector<NodeEnd> ends = finish();
    if (leftOpen_) {
        return Failure(*leftOpen_);
    }
    logs_[0].finish();
    const analysis::RunFigure figure = logs_[0].figure();
    Verdict verdict = judge(*state_.stop, ends, logs_[0].windowReached(), figure);
    if (brokenJournal_ && verdict.outcome == Outcome::Ok) {
        verdict = {Outcome::Failed, describe(*brokenJournal_)};
    }
    state_.throughput = verdict.outcome == Outcome::Ok ? figure.value : std::nullopt;
    state_.ended = now();
    state_.hints = diagnoseRun(settings_.rules, *state_.stop, ends, verdict);
    RunRemains remains{factsOf(ends, figure)};
    remains.facts["diagnosis"] = diagnosis::toJson(state_.hints);
    keepVersions(ends);
    remains.versions = versions_;
    note(event::Judged{std::move(verdict)});
    remains.brokenJournal = brokenJournal_;
    return remains;
}

// From the claim to the reason to stop.
StopDecision RunExecution::run() {
    const std::stop_token stop = control_.runStop(state_.id);
    publishProgress(RunPhase::Preparing);
    for (const auto step : {&RunExecution::claim, &RunExecution::bringWorkers, &RunExecution::allocatePort,
                            &RunExecution::deploy, &RunExecution::tryWorkers, &RunExecution::start}) {
        if (auto done = patiently(step, stop); !done) {
            return preparationFailed(done.error());
        }
    }
    if (auto opened = openCopies(); !opened) {
        return {StopCause::Failed, describe(opened.error())};
    }
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        if (copies_[rank]) {
            watches_[rank] =
                std::make_unique<NodeWatch>(nodes_[rank], state_.trainers.at(rank), std::move(*copies_[rank]),
                                            openTelemetry(rank), settings_.poll);
            copies_[rank].reset();
        }
    }
    return watch();
}

// A step that failed because a node was not reached is tried again for a while: steps may be repeated.
Result<void> RunExecution::patiently(Step step, const std::stop_token& stop) {
    const auto until = std::chrono::steady_clock::now() + settings_.patience;
    for (;;) {
        auto done = (this->*step)(stop);
        if (brokenJournal_) {
            return Failure(*brokenJournal_);
        }
        if (done || done.error().kind != ErrorKind::Passing || stop.stop_requested() ||
            std::chrono::steady_clock::now() >= until) {
            return done;
        }
        publishProgress(RunPhase::Preparing, describe(done.error()));
        control_.wait(std::chrono::seconds(1));
    }
}

StopDecision RunExecution::preparationFailed(const Error& error) const {
    const std::string by = control_.cancelledBy(state_.id);
    return by.empty() ? StopDecision{StopCause::Failed, describe(error)}
                      : StopDecision{StopCause::Cancelled, "cancelled by " + by};
}

// A run that waits for one node holds none of the others: two runs that each have one of a pair would wait
// for each other, and a run that needs only the free one would wait without need.
Result<void> RunExecution::claim(const std::stop_token& stop) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(task_.timeoutSeconds);
    note(event::ClaimBegan{});
    for (;;) {
        const auto claims = claimAll(stop);
        if (const Error* error = firstError(claims)) {
            return Failure(*error);
        }
        const auto busy = std::find_if(claims.begin(), claims.end(),
                                       [](const auto& claim) { return !claim->busyWith.empty(); });
        if (busy == claims.end()) {
            keepClaims(claims);
            return {};
        }
        const std::string node = nodes_[static_cast<std::size_t>(busy - claims.begin())].name();
        if (std::chrono::steady_clock::now() >= until || stop.stop_requested()) {
            return fail("is busy with " + (*busy)->busyWith, "node " + node, "Wait for it, or cancel it.",
                        ErrorKind::Work);
        }
        releaseClaims(claims);
        stopEarlier(claims);
        publishProgress(RunPhase::Preparing,
                        fmt::format("waits for node {}, which is busy with {}", node, (*busy)->busyWith));
        control_.wait(busyNap());
    }
}

std::vector<Result<Claim>> RunExecution::claimAll(const std::stop_token& stop) {
    return onAllNodes(nodes_, [&](NodeRun& node, std::size_t rank) -> Result<Claim> {
        const auto before = state_.claims.find(rank);
        if (state_.trainers.contains(rank) && before != state_.claims.end()) {
            node.adopt(before->second.folder);  // its trainer was started: nothing is left to claim
            return Claim{before->second, true};
        }
        return node.claim(stop);
    });
}

// A run that is over and still has a node was given up while the node was away.
void RunExecution::stopEarlier(const std::vector<Result<Claim>>& claims) {
    (void)onAllNodes(nodes_, [&](const NodeRun& node, std::size_t rank) {
        const Claim& claim = *claims[rank];
        if (claim.holder.empty() || claim.holder == state_.id || !task_.isOver(claim.holder)) {
            return Result<void>();
        }
        NodeRun earlier = node.ofRun(claim.holder, claim.holderFolder);
        const auto left = stopOnNode(earlier, settings_);
        return left && left->empty() ? earlier.release() : Result<void>();
    });
}

// But for nodes where an earlier runner has started the trainer.
void RunExecution::releaseClaims(const std::vector<Result<Claim>>& claims) {
    (void)onAllNodes(nodes_, [&](NodeRun& node, std::size_t rank) {
        const Claim& claim = *claims[rank];
        return claim.busyWith.empty() && !claim.started ? node.release() : Result<void>();
    });
}

void RunExecution::keepClaims(const std::vector<Result<Claim>>& claims) {
    for (std::size_t rank = 0; rank < claims.size(); ++rank) {
        startedBefore_[rank] = claims[rank]->started;
        if (!state_.claims.contains(rank)) {  // GPU processes seen later may be our own
            note(event::Claimed{rank, *claims[rank]});
        }
        if (!keepers_[rank]) {
            keepers_[rank] = std::make_unique<NodeKeeper>(nodes_[rank], settings_.keep);
        }
    }
}

// Of nodes where the recipe finds no worker; for each run anew, for what was put there may have been removed.
Result<void> RunExecution::bringWorkers(const std::stop_token& stop) {
    if (std::none_of(nodes_.begin(), nodes_.end(),
                     [](const NodeRun& node) { return launch::needsWorker(node.launch()); })) {
        return {};
    }
    if (!worker_) {
        auto worker = readWorker(settings_.worker);
        if (!worker) {
            return Failure(worker.error());
        }
        worker_ = std::move(*worker);
    }
    const auto brought = onAllNodes(nodes_, [&](const NodeRun& node, std::size_t rank) -> Result<void> {
        if (!launch::needsWorker(node.launch()) || startedBefore_[rank]) {
            return {};
        }
        auto folder = bringWorker(node, *worker_, stop);
        workerFolders_[rank] = folder.value_or("");
        return folder ? Result<void>() : Failure(folder.error());
    });
    const Error* error = firstError(brought);
    return error == nullptr ? Result<void>() : Failure(*error);
}

Result<void> RunExecution::tryWorkers(const std::stop_token& stop) {
    const auto tried = onAllNodes(nodes_, [&](const NodeRun& node, std::size_t rank) {
        const bool brought = !workerFolders_[rank].empty();
        // This machine's own starts, but it may lack what a GPU needs.
        const bool own = !brought && !startedBefore_[rank] && cudaUseOf(node.launch()) != CudaUse::No &&
                         task_.planned.usesWorker;
        if (!node.launch().startsScript || (!brought && !own)) {
            return Result<void>();
        }
        return tryWorker(node, brought ? worker_->machine : "", stop);
    });
    const Error* error = firstError(tried);
    return error == nullptr ? Result<void>() : Failure(*error);
}

Result<void> RunExecution::allocatePort(const std::stop_token& stop) {
    if (state_.masterPort) {
        return {};
    }
    const auto port = nodes_.front().freePort(std::random_device{}() % 100'000, stop);
    if (!port) {
        return Failure(port.error());
    }
    note(event::PortAllocated{*port});
    return {};
}

Result<void> RunExecution::deploy(const std::stop_token& stop) {
    keepVersions({});  // what is known by now is there for a runner that takes the run up
    const auto placed = onAllNodes(nodes_, [&](NodeRun& node, std::size_t rank) -> Result<void> {
        const NodeClaim& claim = state_.claims.at(rank);
        if (startedBefore_[rank] || !node.launch().startsScript) {
            return {};
        }
        const auto environment =
            launch::settle(node.launch(), {state_.id, claim.folder, claim.home, *state_.masterPort,
                                           state_.repetition, workerFolders_[rank]});
        const auto copy = task_.folder / fmt::format("node{}.env", rank);
        if (auto kept =
                writeFileAtomically(copy, maskedEnvironment(environment, node.launch().secrets), 0600);
            !kept) {
            return kept;
        }
        if (!task_.versions.contains(node.name())) {
            if (auto asked = node.placeVersions(stop); !asked) {
                return asked;
            }
        }
        return node.place(task_.planned.script, task_.planned.neededPython, environment, stop);
    });
    const Error* error = firstError(placed);
    return error == nullptr ? writeFileAtomically(task_.folder / "launch.sh", task_.planned.script, 0755)
                            : Failure(*error);
}

Result<void> RunExecution::start(const std::stop_token& stop) {
    if (!state_.startBegan) {
        note(event::StartBegan{});
    }
    const auto started =
        onAllNodes(nodes_, [&](NodeRun& node, std::size_t rank) -> Result<std::optional<Identity>> {
            const auto before = state_.trainers.find(rank);
            if (before != state_.trainers.end()) {
                return before->second;
            }
            if (!node.launch().startsScript) {
                return std::nullopt;
            }
            auto identity = node.start(stop);
            return identity ? Result<std::optional<Identity>>(*identity) : Failure(identity.error());
        });
    for (std::size_t rank = 0; rank < started.size(); ++rank) {
        if (started[rank] && *started[rank] && !state_.trainers.contains(rank)) {
            note(event::Started{rank, **started[rank]});
        }
    }
    const Error* error = firstError(started);
    return error == nullptr ? Result<void>() : Failure(*error);
}

Result<void> RunExecution::openCopies() {
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        if (!state_.trainers.contains(rank) || copies_[rank] || watches_[rank]) {
            continue;
        }
        auto copy = LogCopy::open(logs_[rank].path());
        if (!copy) {
            return Failure(copy.error());
        }
        copies_[rank].emplace(std::move(*copy));
    }
    return {};
}

std::optional<LogCopy> RunExecution::openTelemetry(std::size_t rank) const {
    auto copy = LogCopy::open(task_.folder / fmt::format("node{}.telemetry.csv", rank));
    return copy ? std::optional(std::move(*copy)) : std::nullopt;
}

StopDecision RunExecution::watch() {
    publishProgress(RunPhase::Running);
    for (;;) {
        const bool more = readLogs();
        if (const std::string by = control_.cancelledBy(state_.id); !by.empty()) {
            return {StopCause::Cancelled, "cancelled by " + by};
        }
        if (brokenJournal_) {
            return {StopCause::Failed, describe(*brokenJournal_)};
        }
        if (task_.planned.stop == launch::StopWhen::Measured && logs_[0].windowReached()) {
            return {StopCause::Measured, {}};
        }
        if (const auto end = checkExitCodes()) {
            return *end;
        }
        if (const auto end = checkTimeout()) {
            return *end;
        }
        if (!more) {
            control_.wait(settings_.poll);
        }
    }
}

// One node's trainer dying ends the run; so do all of them when they are done.
std::optional<StopDecision> RunExecution::checkExitCodes() {
    bool allEnded = true;
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        if (!watches_[rank]) {  // a node that the first one's launcher reaches: only its lock keeps it
            if (const auto lost = keepers_[rank] ? keepers_[rank]->lost() : std::nullopt) {
                return StopDecision{StopCause::Failed, describe(*lost)};
            }
            continue;
        }
        const NodeReport report = watches_[rank]->report();
        const std::string& name = nodes_[rank].name();
        allEnded = allEnded && report.ended();
        if (report.vanished) {
            return StopDecision{StopCause::Failed,
                                fmt::format("node {}: the trainer is gone and left no exit code", name)};
        }
        if (report.exitCode.value_or(0) != 0) {
            return StopDecision{
                StopCause::Failed,
                fmt::format("node {}: the trainer ended with {}", name, describeExit(*report.exitCode)),
                name};
        }
        if (report.error) {
            return StopDecision{StopCause::Failed, describe(*report.error)};
        }
    }
    publishProgress(RunPhase::Running, {}, findAlerts());
    return allEnded ? std::optional(StopDecision{StopCause::TrainerEnded, {}}) : findLostNode();
}

// True when logs hold more than was read of them.
bool RunExecution::readLogs() {
    bool more = false;
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        if (watches_[rank] && watches_[rank]->report().logBytes > logs_[rank].bytesRead()) {
            more = logs_[rank].advance(mostOfLog) || more;
        }
    }
    return more;
}

// A question that hangs has not failed yet: who answers has done so lately.
bool RunExecution::answers(std::size_t rank) const {
    const NodeReport report = watches_[rank] ? watches_[rank]->report() : NodeReport{};
    return watches_[rank] && !report.unreachable &&
           std::chrono::steady_clock::now() - report.lastReached < settings_.lostAfter / 2;
}

std::vector<NodeAlert> RunExecution::findAlerts() {
    std::vector<NodeAlert> alerts;
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        if (!watches_[rank]) {
            continue;
        }
        bool othersAnswer = false;
        for (std::size_t other = 0; other < nodes_.size(); ++other) {
            othersAnswer = othersAnswer || (other != rank && answers(other));
        }
        if (auto trouble = stalls_[rank].check(settings_.rules, watches_[rank]->report(), logs_[rank].pace(),
                                               othersAnswer)) {
            alerts.push_back(std::move(*trouble));
        }
    }
    return alerts;
}

// A node that is gone for good; its trainer's peers may wait for it without end. Where nobody answers it is
// more likely our own way there, and the trainers do not need us; then all have their time again.
std::optional<StopDecision> RunExecution::findLostNode() {
    const auto now = std::chrono::steady_clock::now();
    bool anyAnswers = false;
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        anyAnswers = anyAnswers || answers(rank);
    }
    if (!anyAnswers) {
        othersReachedSince_ = now;
        return std::nullopt;
    }
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        const NodeReport report = watches_[rank] ? watches_[rank]->report() : NodeReport{};
        if (report.unreachable &&
            now - std::max(report.lastReached, othersReachedSince_) > settings_.lostAfter) {
            return StopDecision{
                StopCause::Failed,
                fmt::format("node {} was not reached for {} s, others were: {}", nodes_[rank].name(),
                            settings_.lostAfter.count() / 1000, report.unreachable->what),
                nodes_[rank].name()};
        }
    }
    return std::nullopt;
}

// How long the node has not been reached; zero while it is.
std::chrono::milliseconds RunExecution::silenceOf(std::size_t rank) const {
    const NodeReport report = watches_[rank] ? watches_[rank]->report() : NodeReport{};
    return report.unreachable ? std::chrono::duration_cast<std::chrono::milliseconds>(
                                    std::chrono::steady_clock::now() - report.lastReached)
                              : std::chrono::milliseconds(0);
}

// A run may have ended in time while nobody saw it, be it that its runner was away or the way to its nodes
// was cut: its nodes are asked first, or given up.
std::optional<StopDecision> RunExecution::checkTimeout() const {
    const bool allLooked = std::all_of(watches_.begin(), watches_.end(),
                                       [](const auto& watch) { return !watch || watch->report().looked; });
    if (!allLooked || now() - *state_.startBegan < std::chrono::seconds(task_.timeoutSeconds)) {
        return std::nullopt;
    }
    std::string reason = fmt::format("did not end within its {} s", task_.timeoutSeconds);
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        const auto silence = silenceOf(rank);
        if (silence.count() > 0 && silence < settings_.lostAfter) {
            return std::nullopt;
        }
        if (silence.count() > 0) {
            reason += fmt::format("; node {} was not reached for {} s: its trainer may have ended, or run on",
                                  nodes_[rank].name(), silence.count() / 1000);
        }
    }
    return StopDecision{StopCause::TimedOut, std::move(reason)};
}

// Nodes that an earlier runner claimed.
void RunExecution::adoptClaims() {
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
        const auto claim = state_.claims.find(rank);
        if (nodes_[rank].folder().empty() && claim != state_.claims.end()) {
            nodes_[rank].adopt(claim->second.folder);
        }
    }
}

// A node that has been silent for so long that it counts as lost is asked once more, and not waited for.
Settings RunExecution::endSettings(std::size_t rank) const {
    Settings settings = settings_;
    if (silenceOf(rank) >= settings_.lostAfter) {
        settings.patience = {};
        settings.answer = lastAnswer;
    }
    return settings;
}

std::vector<NodeEnd> RunExecution::finish() {
    adoptClaims();
    const auto left = onAllNodes(nodes_, [&](NodeRun& node, std::size_t rank) {
        return node.folder().empty() ? Result<std::vector<std::string>>()
                                     : stopOnNode(node, endSettings(rank));
    });
    note(event::Stopped{});
    if (const auto opened = openCopies(); !opened) {
        leftOpen_ = opened.error();  // the node keeps the log
    }
    auto ends = onAllNodes(
        nodes_, [&](NodeRun& node, std::size_t rank) { return finishNode(node, rank, left[rank]); });
    for (const NodeEnd& end : ends) {
        if (const std::string warning = gpuWarning(end); !warning.empty()) {
            publishProgress(RunPhase::Stopping, warning);
        }
    }
    return ends;
}

// What the node left is brought home, then the node is given back.
NodeEnd RunExecution::finishNode(NodeRun& node, std::size_t rank,
                                 const Result<std::vector<std::string>>& left) {
    NodeEnd end;
    end.node = node.name();
    end.ranScript = state_.trainers.contains(rank);
    if (watches_[rank]) {
        copies_[rank].emplace(watches_[rank]->stop());
    }
    const bool away = !left && left.error().kind == ErrorKind::Passing;  // patience was spent on stopping it
    if (end.ranScript && copies_[rank]) {
        end = away ? endWithoutNode(node, *copies_[rank], logs_[rank], left.error())
                   : collectFromNode(node, std::move(*copies_[rank]), logs_[rank],
                                     state_.claims.at(rank).gpuProcesses, settings_);
    }
    if (end.remote) {  // what came since the last look
        if (auto telemetry = openTelemetry(rank)) {
            (void)telemetry->catchUp(node.transport(), node.telemetryPath(), mostTelemetry, {});
        }
    }
    if (left) {
        end.processesLeft = *left;
    } else {
        end.stopTrouble = left.error().what;
    }
    keepers_[rank].reset();
    releaseUnlessLeft(node, end, settings_);
    return end;
}

// That they cannot be written makes no run worse.
void RunExecution::keepVersions(const std::vector<NodeEnd>& ends) {
    for (const NodeEnd& end : ends) {
        if (!end.versions.empty()) {
            versions_[end.node] = end.versions;
        }
    }
    (void)writeVersions(task_.folder, versions_);
}

Json RunExecution::factsOf(const std::vector<NodeEnd>& ends, const analysis::RunFigure& figure) const {
    Json nodes = Json::array();
    for (const NodeEnd& end : ends) {
        Json node{{"name", end.node},
                  {"ran_script", end.ranScript},
                  {"log_bytes", end.localBytes},
                  {"sha256", end.localSha256},
                  {"processes_left", end.processesLeft},
                  {"gpu_processes_left", end.gpuProcessesLeft}};
        if (end.remote) {
            node["exit_code"] = end.remote->exitCode ? Json(*end.remote->exitCode) : Json();
            node["remote_log_bytes"] = end.remote->logBytes;
            node["remote_sha256"] = end.remote->sha256;
        }
        if (!end.trouble.empty()) {
            node["trouble"] = end.trouble;
        }
        if (!end.stopTrouble.empty()) {
            node["stop_trouble"] = end.stopTrouble;
        }
        for (const std::string_view line : split(end.facts, '\n')) {
            if (!line.empty()) {
                node["facts"].push_back(line);
            }
        }
        nodes.push_back(std::move(node));
    }
    std::vector<RunFinding> findings = figure.findings;
    for (const NodeEnd& end : ends) {
        if (const std::string warning = gpuWarning(end); !warning.empty()) {
            findings.push_back({"gpu-processes", warning, "node " + end.node});
        }
    }
    return {{"nodes", nodes},
            {"findings", store::findingsJson(findings)},
            {"master_port", state_.masterPort.value_or(0)},
            {"last_iteration", figure.lastIteration}};
}

}  // namespace dlperf::run
