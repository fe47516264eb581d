// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_stages.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/text.h"
#include "core/run/on_all_nodes.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t mostTelemetry = 64U << 20U;  // bytes that are still to come at the end
constexpr auto lastAnswer = 5s;                      // that a node which counts as lost is given
constexpr auto retryNap = 1s;
constexpr auto attributeCache = 65s;  // of NFS: it keeps a file's size for a minute at most (acregmax)
constexpr auto stopNap = 100ms;
constexpr auto wrapperTime = 1s;  // for the wrapper to write the exit code of what was killed
constexpr auto killTime = 5s;     // until a killed process must be gone

// Repeats a step that failed because the node was not reached.
template <class Step>
auto whileUnreachable(const Settings& settings, Step step) {
    auto result = step();
    const auto until = Clock::now() + settings.retryTimeout;
    while (!result && result.error().kind == ErrorKind::Transient && Clock::now() < until) {
        std::this_thread::sleep_for(retryNap);
        result = step();
    }
    return result;
}

// Sends the first signal once, then the other until nothing is left or the time is over.
Result<std::vector<std::string>> signalUntilGone(NodeRun& node, const std::string& first,
                                                 const std::string& then, bool spareWrapper,
                                                 std::chrono::milliseconds time, const Settings& settings) {
    const auto until = Clock::now() + time;
    auto left =
        whileUnreachable(settings, [&] { return node.signal(first, spareWrapper, settings.attemptTimeout); });
    while (left && !left->empty() && Clock::now() < until) {
        std::this_thread::sleep_for(stopNap);
        left = whileUnreachable(settings,
                                [&] { return node.signal(then, spareWrapper, settings.attemptTimeout); });
    }
    return left;
}

// Up to the log's size at the end of the run, as the node says it: what survives it may go on writing. Then
// to the disk. The log of a Slurm job is read on the login node, which may know an older size of it for a
// while.
Result<void> copyEnd(NodeRun& node, LogCopy& copy, const std::optional<Collected>& collected,
                     const Settings& settings) {
    const std::uint64_t size = collected ? collected->logBytes : copy.size();
    const std::uint64_t end = std::max(size, copy.size());
    const auto until = Clock::now() + attributeCache;
    for (;;) {
        const auto copied = whileUnreachable(
            settings, [&] { return copy.catchUp(node.transport(), node.logPath(), end - copy.size(), {}); });
        if (!copied) {
            return Failure(copied.error());
        }
        if (copy.size() >= end || Clock::now() >= until) {
            return copy.sync();
        }
        std::this_thread::sleep_for(retryNap);
    }
}

// Reads the copy to its end.
void takeLog(NodeEnd& end, const LogCopy& copy, LogFollower& log) {
    log.finish();
    end.localBytes = copy.size();
    end.localSha256 = log.sha256();
    end.lastLine = log.lastLine();
    end.hints = log.hints();
}

// Of a node that is not reached: what is here is all there is.
NodeEnd endWithoutNode(const NodeRun& node, LogCopy& copy, LogFollower& log, const Error& error) {
    NodeEnd end;
    end.node = node.name();
    end.trouble = error.what;
    (void)copy.sync();
    takeLog(end, copy, log);
    return end;
}

// Takes exit code, checksum and facts, and copies the log's end.
NodeEnd collectFromNode(NodeRun& node, LogCopy& copy, LogFollower& log,
                        const std::vector<std::string>& gpuProcessesBefore, const Settings& settings) {
    NodeEnd end;
    end.node = node.name();
    const auto trouble = [&](const Error& error) {
        end.trouble += (end.trouble.empty() ? "" : "; ") + error.what;
    };
    if (auto collected = whileUnreachable(settings, [&] { return node.collect(); })) {
        for (const std::string& pid : collected->gpuProcesses) {
            if (std::find(gpuProcessesBefore.begin(), gpuProcessesBefore.end(), pid) ==
                gpuProcessesBefore.end()) {
                end.gpuProcessesLeft.push_back(pid);
            }
        }
        end.remote = std::move(*collected);
    } else {
        trouble(collected.error());
    }
    if (const auto copied = copyEnd(node, copy, end.remote, settings); !copied) {
        trouble(copied.error());
    }
    takeLog(end, copy, log);
    auto facts = node.facts();
    auto versions = node.versions();
    end.complete = facts && versions;
    end.facts = cleanUtf8(facts.value_or(""));
    end.versions = std::move(versions).value_or(Json());
    return end;
}

// Gives the node's lock back, also when a claim was cut short and it is not known whether the node has it.
// Not while something of the run is left there: the next run must not be measured beside it.
void releaseUnlessLeft(NodeRun& node, NodeEnd& end, const Settings& settings) {
    if (!end.nothingLeft()) {
        return;
    }
    // Only a node that had answered is worth waiting for.
    const auto released =
        node.folder().empty() ? node.release() : whileUnreachable(settings, [&] { return node.release(); });
    if (!released) {
        end.trouble += (end.trouble.empty() ? "" : "; ") + released.error().what;
    }
}

class Collection {
public:
    Collection(RunContext& run, RunMonitor& monitor, std::vector<LogFollower>& logs,
               LockHeartbeats& heartbeats)
        : run_(run), monitor_(monitor), logs_(logs), heartbeats_(heartbeats), copies_(run.nodes.size()) {}

    [[nodiscard]] Result<std::vector<NodeEnd>> collect() {
        adoptClaims();
        const auto left = stopAll();
        run_.note(event::Stopped{});
        const auto taken = takeCopies();
        auto ends = onAllNodes(
            run_.nodes, [&](NodeRun& node, std::size_t rank) { return finishNode(node, rank, left[rank]); });
        for (const NodeEnd& end : ends) {
            if (const std::string warning = gpuWarning(end); !warning.empty()) {
                run_.publishProgress(RunPhase::Stopping, warning);
            }
        }
        return taken ? Result<std::vector<NodeEnd>>(std::move(ends)) : Failure(taken.error());
    }

private:
    // Nodes that an earlier runner claimed.
    void adoptClaims() {
        for (std::size_t rank = 0; rank < run_.nodes.size(); ++rank) {
            const auto claim = run_.state.claims.find(rank);
            if (run_.nodes[rank].folder().empty() && claim != run_.state.claims.end()) {
                run_.nodes[rank].adopt(claim->second.folder);
            }
        }
    }

    using Left = std::vector<Result<std::vector<std::string>>>;  // by rank, of stopOnNode()

    // The figure of a run that ended well is on its nodes: while none answers they are waited for.
    [[nodiscard]] Left stopAll() {
        const auto began = Clock::now();
        const StopCause cause = run_.state.stop->cause;
        const bool hasFigure = cause == StopCause::Measured || cause == StopCause::TrainerEnded;
        Left left = tryToStopAll();
        while (hasFigure && std::ranges::all_of(left, isAway) && !isCancelled() &&
               run_.mayWaitForNodes(Clock::now() - began)) {
            run_.publishProgress(RunPhase::Stopping, describe(left.front().error()));
            run_.control.wait(retryNap);
            left = tryToStopAll();
        }
        return left;
    }

    [[nodiscard]] Left tryToStopAll() {
        return onAllNodes(run_.nodes, [&](NodeRun& node, std::size_t rank) {
            return node.folder().empty() ? Result<std::vector<std::string>>()
                                         : stopOnNode(node, endSettings(rank));
        });
    }

    [[nodiscard]] static bool isAway(const Result<std::vector<std::string>>& left) {
        return !left && left.error().kind == ErrorKind::Transient;
    }
    [[nodiscard]] bool isCancelled() const { return !run_.control.cancelledBy(run_.state.id).empty(); }

    // A node that has been silent for so long that it counts as lost is asked once more, and not waited for.
    [[nodiscard]] Settings endSettings(std::size_t rank) const {
        Settings settings = run_.settings;
        if (monitor_.silenceOf(rank) >= run_.settings.lostAfter) {
            settings.retryTimeout = {};
            settings.attemptTimeout = lastAnswer;
        }
        return settings;
    }

    // An error leaves the log on its node.
    [[nodiscard]] Result<void> takeCopies() {
        Result<void> taken;
        for (const auto& [rank, trainer] : run_.state.trainers) {
            if ((copies_[rank] = monitor_.stop(rank))) {
                continue;
            }
            if (auto opened = LogCopy::open(logs_[rank].path())) {
                copies_[rank].emplace(std::move(*opened));
            } else {
                taken = Failure(opened.error());
            }
        }
        return taken;
    }

    [[nodiscard]] std::vector<std::string> gpuProcessesBefore(std::size_t rank) const {
        const auto claim = run_.state.claims.find(rank);
        return claim == run_.state.claims.end() ? std::vector<std::string>() : claim->second.gpuProcesses;
    }

    // A trainer that was started before its runner could write that down.
    [[nodiscard]] bool hasUnknownTrainer(NodeRun& node, std::size_t rank) const {
        if (run_.state.trainers.contains(rank) || !run_.state.startBegan || !node.launch().startsScript ||
            node.folder().empty()) {
            return false;
        }
        const auto found = node.collect();
        return !found || found->logBytes > 0;
    }

    // What the node left is brought home, then the node is given back.
    [[nodiscard]] NodeEnd finishNode(NodeRun& node, std::size_t rank,
                                     const Result<std::vector<std::string>>& left) {
        NodeEnd end;
        end.node = node.name();
        end.ranScript = run_.state.trainers.contains(rank) || (left && hasUnknownTrainer(node, rank));
        if (end.ranScript && !copies_[rank]) {  // such a one: its log is the only trace of it
            if (auto opened = LogCopy::open(logs_[rank].path())) {
                copies_[rank].emplace(std::move(*opened));
            } else {
                end.trouble = opened.error().what;
            }
        }
        const bool away = isAway(left);  // stopping it was retried long enough
        if (end.ranScript && copies_[rank]) {
            end = away ? endWithoutNode(node, *copies_[rank], logs_[rank], left.error())
                       : collectFromNode(node, *copies_[rank], logs_[rank], gpuProcessesBefore(rank),
                                         run_.settings);
        }
        if (end.remote) {  // what came since the last look
            auto telemetry = openTelemetry(run_, rank);
            end.complete = telemetry &&
                           telemetry->catchUp(node.transport(), node.telemetryPath(), mostTelemetry, {}) &&
                           end.complete;
        }
        if (left) {
            end.processesLeft = *left;
        } else {
            end.stopTrouble = left.error().what;
        }
        heartbeats_[rank].reset();
        releaseUnlessLeft(node, end, run_.settings);
        return end;
    }

    RunContext& run_;
    RunMonitor& monitor_;
    std::vector<LogFollower>& logs_;  // by rank, as all that follow
    LockHeartbeats& heartbeats_;
    std::vector<std::optional<LogCopy>> copies_;  // nothing where no script ran
};

}  // namespace

Result<std::vector<std::string>> stopOnNode(NodeRun& node, const Settings& settings) {
    auto left = signalUntilGone(node, "TERM", "0", false, settings.grace, settings);
    if (left && !left->empty()) {
        left = signalUntilGone(node, "KILL", "KILL", true, wrapperTime, settings);
    }
    if (left) {  // the wrapper ends by itself when its trainer is gone
        left = signalUntilGone(node, "0", "0", false, left->empty() ? wrapperTime : 0s, settings);
    }
    if (left && !left->empty()) {
        left = signalUntilGone(node, "KILL", "KILL", false, killTime, settings);
    }
    return left;
}

Result<std::vector<NodeEnd>> collectRun(RunContext& run, RunMonitor& monitor, std::vector<LogFollower>& logs,
                                        LockHeartbeats& heartbeats) {
    return Collection(run, monitor, logs, heartbeats).collect();
}

}  // namespace dlperf::run
