// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_execution.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/model/node_name.h"
#include "core/run/machine_findings.h"
#include "core/run/run_noise.h"
#include "core/run/run_stages.h"
#include "core/store/fields.h"
#include "core/telemetry/samples.h"

namespace dlperf::run {
namespace {

// A node that was taken back meanwhile says more than what failed on it.
StopDecision whyNotPrepared(RunContext& run, const Error& error) {
    if (const std::string by = run.control.cancelledBy(run.state.id); !by.empty()) {
        return {StopCause::Cancelled, "cancelled by " + by};
    }
    for (const NodeRun& node : run.nodes) {
        if (auto withdrawn = findWithdrawal(run, node)) {
            return *std::move(withdrawn);
        }
    }
    run.state.endedByCluster = run.state.slurm && error.kind == ErrorKind::Transient;
    return {StopCause::Failed, describe(error)};
}

// A node of a job that is dead before Slurm knows it (SlurmdTimeout): the next job has others.
bool lostNodeOfJob(const RunState& run, const std::vector<NodeEnd>& ends) {
    const auto isLost = [](const NodeEnd& end) {
        return !end.stopTrouble.empty() || (end.ranScript && !end.remote);
    };
    return run.slurm && std::ranges::any_of(ends, isLost);
}

// From the claim to the reason to stop.
StopDecision runUntilStop(RunContext& run, const NodeVersions& versions, LockHeartbeats& heartbeats,
                          RunMonitor& monitor) {
    if (const auto prepared = prepareRun(run, versions, heartbeats); !prepared) {
        return whyNotPrepared(run, prepared.error());
    }
    if (const auto started = monitor.start(); !started) {
        return {StopCause::Failed, describe(started.error())};
    }
    return monitor.untilEnd();
}

// The measured iterations by the node's clock; nothing where nobody saw them go by.
std::optional<SampleWindow> rangeOn(const RunState& run, const NodeEnd& end) {
    if (!run.rangeBegan || !run.rangeReached) {
        return std::nullopt;
    }
    const std::int64_t ahead = end.remote ? end.remote->ahead.count() : 0;
    const auto secondsOf = [](TimePoint time) {
        return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
    };
    return SampleWindow{secondsOf(*run.rangeBegan) + ahead, secondsOf(*run.rangeReached) + ahead};
}

std::vector<NodeNoise> noiseOf(const RunContext& run, const std::vector<NodeEnd>& ends) {
    std::vector<NodeNoise> all;
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
        if (auto noise =
                readNoise(telemetryFile(run, rank), ends[rank].node, rangeOn(run.state, ends[rank]))) {
            all.push_back(std::move(*noise));
        }
    }
    return all;
}

Json factsOf(const RunState& run, const launch::PlannedRun& planned, const std::vector<NodeEnd>& ends,
             const analysis::RunFigure& figure) {
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
    std::ranges::move(findingsOf(run.disturbances), std::back_inserter(findings));
    std::ranges::move(findingsOf(run.noise), std::back_inserter(findings));
    for (const NodeEnd& end : ends) {
        if (const std::string warning = gpuWarning(end); !warning.empty()) {
            findings.push_back({"gpu-processes", warning, nodeText(end.node)});
        }
    }
    std::ranges::move(quotaFindings(ends), std::back_inserter(findings));
    std::ranges::move(machineFindings(ends), std::back_inserter(findings));
    std::ranges::move(threadFindings(planned, ends), std::back_inserter(findings));
    return {{"nodes", nodes},
            {"findings", store::findingsJson(findings)},
            {"disturbances", toJson(run.disturbances)},
            {"master_port", run.masterPort.value_or(0)},
            {"last_iteration", figure.lastIteration}};
}

std::optional<double> peakMemory(const RunContext& run) {
    telemetry::PeakMemory peak;
    for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
        const telemetry::PeakMemory one = telemetry::peakMemory(telemetryFile(run, rank));
        peak.gpu = std::max(peak.gpu, one.gpu);
        peak.process = std::max(peak.process, one.process);
    }
    return peak.gpu && run.task.planned.usesGpus() ? peak.gpu : peak.process;
}

}  // namespace

// A journal that cannot be written ends the run (see RunMonitor), for nothing more could be promised.
void RunContext::note(Happening what) {
    const Event event{std::move(what)};
    apply(state, event);
    if (auto written = journal.write(event); !written && !brokenJournal) {
        brokenJournal = written.error();
    }
}

bool RunContext::mayWaitForNodes(std::chrono::steady_clock::duration silence) const {
    return silence < settings.retryTimeout ||
           (silence < std::chrono::seconds(task.timeoutSeconds) && task.isCutOff());
}

void RunContext::publishProgress(RunPhase phase, std::string message, const std::vector<NodeAlert>& alerts) {
    state.message = std::move(message);
    publish(phase, alerts);
}

Result<RunRemains> executeRun(RunContext run) {
    const auto isUnknown = [&](const auto& ofNode) { return ofNode.first >= run.nodes.size(); };
    std::erase_if(run.state.claims, isUnknown);  // a damaged journal may name any rank
    std::erase_if(run.state.trainers, isUnknown);
    NodeVersions versions = run.task.versions;
    if (auto kept = readVersions(run.task.folder)) {  // by an earlier runner
        versions.merge(*kept);
    }
    if (!run.task.planned.formatRow.empty()) {  // whoever reads the run's log needs no recipe
        TRY(writeFileAtomically(run.task.folder / "format.json", run.task.planned.formatRow + "\n"));
    }
    std::vector<LogFollower> logs;
    for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
        logs.emplace_back(run.state, rank, run.task.folder, run.settings.rules);
    }
    LockHeartbeats heartbeats(run.nodes.size());
    RunMonitor monitor(run, logs, heartbeats);
    if (!run.state.stop) {
        run.note(runUntilStop(run, versions, heartbeats, monitor));
        run.state.rangeReached = run.state.rangeReached.value_or(now());  // the log's end is yet to be read
    }
    run.publishProgress(RunPhase::Stopping);
    const auto ends = TRY(collectRun(run, monitor, logs, heartbeats));
    run.state.endedByCluster = run.state.endedByCluster || lostNodeOfJob(run.state, ends);
    logs[0].finish();
    const analysis::RunFigure figure = logs[0].figure();
    Verdict verdict = judge(*run.state.stop, ends, logs[0].rangeReached(), figure);
    if (run.brokenJournal && verdict.outcome == Outcome::Ok) {
        verdict = {Outcome::Failed, describe(*run.brokenJournal)};
    }
    run.state.throughput = verdict.outcome == Outcome::Ok ? figure.value : std::nullopt;
    run.state.ended = now();
    run.state.memoryMb = peakMemory(run);
    run.state.noise = noiseOf(run, ends);
    run.state.hints = diagnoseRun(run.settings.rules, *run.state.stop, ends, verdict);
    RunRemains remains{factsOf(run.state, run.task.planned, ends, figure)};
    remains.facts["diagnosis"] = diagnosis::toJson(run.state.hints);
    for (const NodeEnd& end : ends) {
        if (!end.versions.empty()) {
            versions[end.node] = end.versions;
        }
    }
    // Without them the run is no worse, but the nodes keep theirs.
    const bool versionsAreHere = writeVersions(run.task.folder, versions).has_value();
    remains.versions = std::move(versions);
    for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
        if (versionsAreHere && !run.nodes[rank].folder().empty() && ends[rank].allIsHere()) {
            remains.copied.push_back(run.nodes[rank]);
        }
    }
    run.note(event::Judged{std::move(verdict)});
    remains.brokenJournal = run.brokenJournal;
    return remains;
}

}  // namespace dlperf::run
