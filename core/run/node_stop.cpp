// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_stop.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto retryNap = 1s;
constexpr auto stopNap = 100ms;
constexpr auto wrapperTime = 1s;  // for the wrapper to write the exit code of what was killed
constexpr auto killTime = 5s;     // until a killed process must be gone

// Repeats a step that failed because the node was not reached.
template <class Step>
auto insist(const Settings& settings, Step step) {
    const auto until = Clock::now() + settings.patience;
    auto result = step();
    while (!result && result.error().kind == ErrorKind::Passing && Clock::now() < until) {
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
    auto left = insist(settings, [&] { return node.signal(first, spareWrapper, settings.answer); });
    while (left && !left->empty() && Clock::now() < until) {
        std::this_thread::sleep_for(stopNap);
        left = insist(settings, [&] { return node.signal(then, spareWrapper, settings.answer); });
    }
    return left;
}

// Up to the log's size at the end of the run: what survives it may go on writing. Then to the disk.
Result<void> copyEnd(NodeRun& node, LogCopy& copy, const std::optional<Collected>& collected,
                     const Settings& settings) {
    const std::uint64_t size = collected ? collected->logBytes : copy.size();
    const std::uint64_t end = std::max(size, copy.size());
    const auto copied = insist(
        settings, [&] { return copy.catchUp(node.transport(), node.logPath(), end - copy.size(), {}); });
    return copied ? copy.sync() : Failure(copied.error());
}

// Reads the copy to its end.
void takeLog(NodeEnd& end, const LogCopy& copy, LogFollower& log) {
    log.finish();
    end.localBytes = copy.size();
    end.localSha256 = log.sha256();
    end.lastLine = log.lastLine();
    end.hints = log.hints();
}

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

NodeEnd endWithoutNode(const NodeRun& node, LogCopy& copy, LogFollower& log, const Error& error) {
    NodeEnd end;
    end.node = node.name();
    end.trouble = error.what;
    (void)copy.sync();
    takeLog(end, copy, log);
    return end;
}

NodeEnd collectFromNode(NodeRun& node, LogCopy copy, LogFollower& log,
                        const std::vector<std::string>& gpuProcessesBefore, const Settings& settings) {
    NodeEnd end;
    end.node = node.name();
    const auto trouble = [&](const Error& error) {
        end.trouble += (end.trouble.empty() ? "" : "; ") + error.what;
    };
    if (auto collected = insist(settings, [&] { return node.collect(); })) {
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
    if (auto facts = node.facts()) {
        end.facts = cleanUtf8(*facts);
    }
    if (auto versions = node.versions()) {
        end.versions = std::move(*versions);
    }
    return end;
}

void releaseUnlessLeft(NodeRun& node, NodeEnd& end, const Settings& settings) {
    if (!end.nothingLeft()) {
        return;
    }
    // Only a node that had answered is worth waiting for.
    const auto released =
        node.folder().empty() ? node.release() : insist(settings, [&] { return node.release(); });
    if (!released) {
        end.trouble += (end.trouble.empty() ? "" : "; ") + released.error().what;
    }
}

}  // namespace dlperf::run
