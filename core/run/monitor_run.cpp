// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/model/node_name.h"
#include "core/run/outcome.h"

namespace dlperf::run {
namespace {

// From the end of the measurement range to the stop of a trainer that is known to hang at its end.
constexpr std::chrono::seconds settlingTime{30};
constexpr std::uint64_t mostOfLog = 16U << 20U;  // of a log, before the nodes are looked at again

}  // namespace

std::optional<StopDecision> findWithdrawal(RunContext& run, const NodeRun& node) {
    const auto withdrawn = node.transport().withdrawn();
    if (!withdrawn) {
        return std::nullopt;
    }
    using Cause = remote::Withdrawal::Cause;
    run.state.endedByCluster = withdrawn->isByCluster();
    return StopDecision{withdrawn->cause == Cause::TimeLimit     ? StopCause::TimedOut
                        : withdrawn->cause == Cause::Cancelled   ? StopCause::Cancelled
                        : withdrawn->cause == Cause::OutOfMemory ? StopCause::OutOfMemory
                                                                 : StopCause::Failed,
                        withdrawn->reason};
}

RunMonitor::RunMonitor(RunContext& run, std::vector<LogFollower>& logs, const LockHeartbeats& heartbeats)
    : run_(run), logs_(logs), heartbeats_(heartbeats), monitors_(run.nodes.size()) {
    for (const NodeRun& node : run.nodes) {
        stalls_.emplace_back(node.name(), run.settings.unreachableGrace);
    }
}

namespace {

// Of the trainers' time. By the wall clock, for a runner may have come late, but once only: a clock that is
// set meanwhile takes nothing from a run and adds nothing.
std::chrono::milliseconds timeLeft(const RunContext& run) {
    const std::chrono::milliseconds all = std::chrono::seconds(run.task.timeoutSeconds);
    return std::clamp(*run.state.startBegan + all - now(), std::chrono::milliseconds(0), all);
}

}  // namespace

Result<void> RunMonitor::start() {
    std::vector<std::optional<LogCopy>> copies(run_.nodes.size());
    for (const auto& [rank, trainer] : run_.state.trainers) {
        auto copy = TRY(LogCopy::open(logs_[rank].path()));
        copies[rank].emplace(std::move(copy));
    }
    due_ = BootClock::now() + timeLeft(run_);
    for (const auto& [rank, trainer] : run_.state.trainers) {
        monitors_[rank] = std::make_unique<NodeMonitor>(run_.nodes[rank], trainer, std::move(*copies[rank]),
                                                        openTelemetry(run_, rank), run_.settings.poll, due_);
    }
    return {};
}

std::optional<LogCopy> RunMonitor::stop(std::size_t rank) {
    return monitors_[rank] ? std::optional(monitors_[rank]->stop()) : std::nullopt;
}

void RunMonitor::publishProgress(RunPhase phase, std::string message, const std::vector<NodeAlert>& alerts) {
    if (const analysis::Iteration* latest = logs_[0].pace().latest()) {
        run_.state.iteration = latest->number;
        run_.state.speed = latest->throughput;
    }
    run_.publishProgress(phase, std::move(message), alerts);
}

StopDecision RunMonitor::untilEnd() {
    publishProgress(RunPhase::Running, {}, {});
    for (;;) {
        const bool more = readLogs();
        noteRange();
        if (const std::string by = run_.control.cancelledBy(run_.state.id); !by.empty()) {
            return {StopCause::Cancelled, "cancelled by " + by};
        }
        if (run_.brokenJournal) {
            return {StopCause::Failed, describe(*run_.brokenJournal)};
        }
        if (isMeasured()) {
            return {StopCause::Measured, {}};
        }
        auto late =
            checkTimeout();  // first: what the nodes say by now is what they said when they were asked
        if (const auto end = checkExitCodes()) {
            return *end;
        }
        if (late) {
            return *std::move(late);
        }
        if (!more) {
            run_.control.wait(run_.settings.poll);
        }
    }
}

// A runner that comes late sees both at once, and no sample between them.
void RunMonitor::noteRange() {
    const analysis::Iteration* latest = logs_[0].pace().latest();
    if (!run_.state.rangeBegan && latest != nullptr && latest->number >= run_.state.range.warmup) {
        run_.state.rangeBegan = now();
    }
    if (!run_.state.rangeReached && logs_[0].rangeReached()) {
        run_.state.rangeReached = now();
    }
}

// Whether the figure is complete and the trainer need not, or will not, go on.
bool RunMonitor::isMeasured() {
    const launch::PlannedRun& planned = run_.task.planned;
    if (!logs_[0].rangeReached()) {
        return false;
    }
    const auto now = std::chrono::steady_clock::now();
    rangeReachedAt_ = rangeReachedAt_.value_or(now);
    return planned.stop == launch::StopWhen::Measured ||
           (planned.settlesAfterRange && now - *rangeReachedAt_ >= settlingTime);
}

// One node's trainer dying ends the run; so do all of them when they are done.
std::optional<StopDecision> RunMonitor::checkExitCodes() {
    bool allEnded = true;
    for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
        if (!monitors_[rank]) {  // a node that the first one's launcher reaches: only its lock keeps it
            if (const auto lost = heartbeats_[rank] ? heartbeats_[rank]->lost() : std::nullopt) {
                return StopDecision{StopCause::Failed, describe(*lost)};
            }
            continue;
        }
        const NodeReport report = monitors_[rank]->report();
        const std::string& name = run_.nodes[rank].name();
        allEnded = allEnded && report.ended();
        const bool failed = report.vanished || report.exitCode.value_or(0) != 0 || report.error;
        if (auto withdrawn = failed ? findWithdrawal(run_, run_.nodes[rank]) : std::nullopt) {
            return withdrawn;
        }
        if (report.vanished) {
            return StopDecision{StopCause::Failed,
                                fmt::format("{}: the trainer is gone and left no exit code", nodeText(name))};
        }
        if (report.exitCode.value_or(0) != 0) {
            return StopDecision{
                StopCause::Failed,
                fmt::format("{}: the trainer ended with {}", nodeText(name), describeExit(*report.exitCode)),
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
bool RunMonitor::readLogs() {
    bool more = false;
    for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
        if (monitors_[rank] && monitors_[rank]->report().logBytes > logs_[rank].bytesRead()) {
            more = logs_[rank].advance(mostOfLog) || more;
        }
    }
    return more;
}

// A question that hangs has not failed yet: who answers has done so lately.
bool RunMonitor::answers(std::size_t rank) const {
    const NodeReport report = monitors_[rank] ? monitors_[rank]->report() : NodeReport{};
    return monitors_[rank] && !report.unreachable &&
           std::chrono::steady_clock::now() - report.lastReached < run_.settings.lostAfter / 2;
}

std::vector<NodeAlert> RunMonitor::findAlerts() {
    std::vector<NodeAlert> alerts;
    for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
        if (!monitors_[rank]) {
            continue;
        }
        bool othersAnswer = false;
        for (std::size_t other = 0; other < run_.nodes.size(); ++other) {
            othersAnswer = othersAnswer || (other != rank && answers(other));
        }
        if (auto trouble = stalls_[rank].check(run_.settings.rules, monitors_[rank]->report(),
                                               logs_[rank].pace(), othersAnswer)) {
            alerts.push_back(std::move(*trouble));
        }
    }
    return alerts;
}

// A node that is gone for good; its trainer's peers may wait for it without end. Where nobody answers it is
// more likely our own way there, and the trainers do not need us; then all have their time again.
std::optional<StopDecision> RunMonitor::findLostNode() {
    const auto now = std::chrono::steady_clock::now();
    bool anyAnswers = false;
    for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
        anyAnswers = anyAnswers || answers(rank);
    }
    if (!anyAnswers) {
        othersReachedSince_ = now;
        return std::nullopt;
    }
    for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
        const NodeReport report = monitors_[rank] ? monitors_[rank]->report() : NodeReport{};
        if (report.unreachable &&
            now - std::max(report.lastReached, othersReachedSince_) > run_.settings.lostAfter) {
            return StopDecision{
                StopCause::Failed,
                fmt::format("{} was not reached for {} s, others were: {}", nodeText(run_.nodes[rank].name()),
                            run_.settings.lostAfter.count() / 1000, report.unreachable->what),
                run_.nodes[rank].name()};
        }
    }
    return std::nullopt;
}

// How long the node has not been reached; zero while it is.
std::chrono::milliseconds RunMonitor::silenceOf(std::size_t rank) const {
    const NodeReport report = monitors_[rank] ? monitors_[rank]->report() : NodeReport{};
    return report.unreachable ? std::chrono::duration_cast<std::chrono::milliseconds>(
                                    std::chrono::steady_clock::now() - report.lastReached)
                              : std::chrono::milliseconds(0);
}

// A run may have ended in time while nobody saw it, be it that its runner was away or asleep, or that the way
// to its nodes was cut: only what they say when its time is over counts, or they are given up.
std::optional<StopDecision> RunMonitor::checkTimeout() const {
    const bool allAsked = std::ranges::all_of(
        monitors_, [](const auto& watch) { return !watch || watch->report().askedWhenDue; });
    if (!allAsked || BootClock::now() < due_) {
        return std::nullopt;
    }
    std::string reason = fmt::format("did not end within its {} s", run_.task.timeoutSeconds);
    if (logs_[0].rangeReached()) {
        reason +=
            R"(, though its measurement range was complete: the recipe may say "settles_after": "range-reached")";
    }
    for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
        const auto silence = silenceOf(rank);
        if (silence.count() > 0 && silence < run_.settings.lostAfter) {
            return std::nullopt;
        }
        if (silence.count() > 0) {
            reason += fmt::format("; {} was not reached for {} s: its trainer may have ended, or run on",
                                  nodeText(run_.nodes[rank].name()), silence.count() / 1000);
        }
    }
    return StopDecision{StopCause::TimedOut, std::move(reason)};
}

std::filesystem::path telemetryFile(const RunContext& run, std::size_t rank) {
    return run.task.folder / fmt::format("node{}.telemetry.csv", rank);
}

std::optional<LogCopy> openTelemetry(const RunContext& run, std::size_t rank) {
    auto copy = LogCopy::open(telemetryFile(run, rank));
    return copy ? std::optional(std::move(*copy)) : std::nullopt;
}

}  // namespace dlperf::run
