// SPDX-License-Identifier: Apache-2.0
#include "core/run/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/probe.h"
#include "core/model/node_name.h"

namespace dlperf::run {
namespace {

constexpr std::uint64_t fullDiskKib = 1024;

// The copy of every node agrees with the node's own log; else what differs.
std::string disagreement(const std::vector<NodeEnd>& nodes) {
    for (const NodeEnd& node : nodes) {
        if (!node.ranScript) {
            continue;
        }
        if (!node.remote) {
            return fmt::format("{} could not be asked at the end: {}", nodeText(node.node), node.trouble);
        }
        if (node.remote->logBytes != node.localBytes) {
            return fmt::format("the log of {} has {} bytes there and {} here", nodeText(node.node),
                               node.remote->logBytes, node.localBytes);
        }
        if (node.remote->sha256 != node.localSha256) {
            return fmt::format("the log of {} differs from its copy here", nodeText(node.node));
        }
    }
    return {};
}

// What explains a failure better than an exit code.
std::string circumstances(const StopDecision& stop, const std::vector<NodeEnd>& nodes) {
    std::string text;
    const auto culprit =
        std::find_if(nodes.begin(), nodes.end(), [&](const NodeEnd& node) { return node.node == stop.node; });
    if (culprit != nodes.end() && !culprit->lastLine.empty()) {
        text += ", its last line: " + culprit->lastLine;
    }
    for (const NodeEnd& node : nodes) {
        if (node.remote && node.remote->freeKib.value_or(fullDiskKib) < fullDiskKib) {
            text += fmt::format("; the disk of {} is full", nodeText(node.node));
        }
    }
    return text;
}

// Of a trainer that ended with its machine, or that its node ended because nobody else did: the others fail
// for it, often before it is known.
std::string endedByNode(const std::vector<NodeEnd>& nodes) {
    for (const NodeEnd& node : nodes) {
        const std::string by = node.remote ? node.remote->endedBy : std::string();
        const std::string seconds = by.substr(std::min(by.size(), by.find(' ') + 1));
        if (by == "restart") {
            return fmt::format("{} was started anew during the run", nodeText(node.node));
        }
        if (by.starts_with("lease")) {
            return fmt::format("{} ended the trainer: no runner was heard of for {} s", nodeText(node.node),
                               seconds);
        }
        if (!by.empty()) {
            return fmt::format("{} ended the trainer, which had run for {} s", nodeText(node.node), seconds);
        }
    }
    return {};
}

Verdict judgeEnded(const std::vector<NodeEnd>& nodes, bool rangeReached, const analysis::RunFigure& figure) {
    for (const NodeEnd& node : nodes) {
        if (node.ranScript && node.remote && node.remote->exitCode.value_or(1) != 0) {
            return {Outcome::Failed, fmt::format("{}: the trainer ended with {}", nodeText(node.node),
                                                 node.remote->exitCode ? describeExit(*node.remote->exitCode)
                                                                       : "no exit code")};
        }
    }
    if (!rangeReached || !figure.value) {
        return {Outcome::Short,
                figure.value ? "the log ends before its measurement range does" : figure.whyNone};
    }
    return {Outcome::Ok, {}};
}

// "process 12", "processes 12, 13"
std::string numbered(const std::vector<std::string>& pids) {
    return (pids.size() == 1 ? "process " : "processes ") + join(pids, ", ");
}

// What of the run is still there, or may be. The next run on that node would be measured beside it.
std::string leftovers(const std::vector<NodeEnd>& nodes) {
    std::vector<std::string> texts;
    for (const NodeEnd& node : nodes) {
        if (!node.stopTrouble.empty()) {
            texts.push_back(
                fmt::format("{} could not be stopped: {}", nodeText(node.node), node.stopTrouble));
        }
        if (!node.processesLeft.empty()) {
            texts.push_back(fmt::format("{}: {} {} still running", nodeText(node.node),
                                        numbered(node.processesLeft),
                                        node.processesLeft.size() == 1 ? "is" : "are"));
        }
    }
    return join(texts, "; ");
}

// Its log says so, or a trainer ended by itself and this one was killed, while the kernel killed somebody for
// want of memory.
bool ranOutOfMemory(const NodeEnd& node, const StopDecision& stop) {
    constexpr int killed = 137;
    const auto holds = [&](const auto& says) { return std::ranges::any_of(node.hints, says); };
    const bool wasKilled = (node.remote && node.remote->exitCode == killed) ||
                           holds([](const diagnosis::Hint& hint) { return hint.rule == "host-memory"; });
    const bool byItself = stop.cause == StopCause::TrainerEnded || !stop.node.empty();
    return holds([](const diagnosis::Hint& hint) { return hint.outOfMemory; }) ||
           (wasKilled && byItself && node.remote && node.remote->oomKills > 0);
}

Verdict judgeTraining(const StopDecision& stop, const std::vector<NodeEnd>& nodes, bool rangeReached,
                      const analysis::RunFigure& figure) {
    if (stop.cause == StopCause::Cancelled) {
        return {Outcome::Cancelled, stop.reason};
    }
    if (stop.cause == StopCause::OutOfMemory) {
        return {Outcome::Oom, stop.reason};
    }
    Verdict verdict{Outcome::Failed, stop.reason};
    if (const std::string by = endedByNode(nodes); !by.empty() && stop.cause != StopCause::Measured) {
        verdict.reason = by;
    } else if (stop.cause == StopCause::TrainerEnded) {
        verdict = judgeEnded(nodes, rangeReached, figure);
    } else if (stop.cause == StopCause::Measured && figure.value) {
        verdict = {Outcome::Ok, {}};
    } else if (stop.cause == StopCause::Measured) {
        verdict = {Outcome::Short, figure.whyNone};
    }
    if (const std::string differs = disagreement(nodes); verdict.outcome == Outcome::Ok && !differs.empty()) {
        return {Outcome::Failed, differs};
    }
    if (verdict.outcome == Outcome::Ok) {
        return verdict;
    }
    const auto memory =
        std::ranges::find_if(nodes, [&](const NodeEnd& node) { return ranOutOfMemory(node, stop); });
    if (memory != nodes.end()) {
        return {Outcome::Oom, fmt::format("{}: memory ran out", nodeText(memory->node))};
    }
    verdict.reason += circumstances(stop, nodes);
    return verdict;
}

// Of the line "cpu_quota=2.50 of 16".
std::string quotaWarning(const NodeEnd& node) {
    for (const std::string_view line : split(node.facts, '\n')) {
        const auto words = wordsIn(line, "= ");
        if (words.size() != 4 || words[0] != "cpu_quota") {
            continue;
        }
        const auto quota = numberIn<double>(words[1]);
        const auto cores = toInt(words[3]);
        if (quota && cores && cluster::holdsBack(*quota, *cores)) {
            return fmt::format("a CPU quota allows the time of {:.2f} of {} cores", *quota, *cores);
        }
    }
    return {};
}

}  // namespace

bool NodeEnd::allIsHere() const {
    const bool logIsHere =
        !ranScript || (remote && remote->logBytes == localBytes && remote->sha256 == localSha256);
    return logIsHere && complete && trouble.empty() && nothingLeft();
}

Verdict judge(const StopDecision& stop, const std::vector<NodeEnd>& nodes, bool rangeReached,
              const analysis::RunFigure& figure) {
    Verdict verdict = judgeTraining(stop, nodes, rangeReached, figure);
    const auto add = [&](const std::string& text) {
        verdict.reason += (verdict.reason.empty() || text.empty() ? "" : "; ") + text;
    };
    if (const std::string left = leftovers(nodes); !left.empty()) {
        verdict.outcome = verdict.outcome == Outcome::Ok ? Outcome::Failed : verdict.outcome;
        add(left);
    }
    if (verdict.outcome != Outcome::Ok) {
        for (const NodeEnd& node : nodes) {
            add(gpuWarning(node));
        }
    }
    return verdict;
}

std::vector<diagnosis::Hint> diagnoseRun(const diagnosis::Rules& rules, const StopDecision& stop,
                                         const std::vector<NodeEnd>& nodes, const Verdict& verdict) {
    std::vector<diagnosis::Hint> hints;
    if (!rules) {
        return hints;
    }
    const auto add = [&](const std::vector<diagnosis::Hint>& more) {
        hints.insert(hints.end(), more.begin(), more.end());
    };
    for (const NodeEnd& node : nodes) {
        add(node.hints);
    }
    for (const NodeEnd& node : nodes) {  // after the logs: a line says more than a code
        if (node.node == stop.node && node.remote && node.remote->exitCode) {
            add(diagnosis::hintsOfExit(*rules, node.node, *node.remote->exitCode));
        }
    }
    return diagnosis::mostTelling(std::move(hints), verdict.outcome == Outcome::Ok);
}

std::string gpuWarning(const NodeEnd& node) {
    if (node.gpuProcessesLeft.empty()) {
        return {};
    }
    const bool one = node.gpuProcessesLeft.size() == 1;
    return fmt::format("{}: GPU {} {} not there before the run and {} not known to belong to it",
                       nodeText(node.node), numbered(node.gpuProcessesLeft), one ? "was" : "were",
                       one ? "is" : "are");
}

std::vector<RunFinding> quotaFindings(const std::vector<NodeEnd>& nodes) {
    std::map<std::string, std::vector<std::string>> nodesOf;  // by warning
    for (const NodeEnd& node : nodes) {
        if (const std::string warning = quotaWarning(node); !warning.empty()) {
            nodesOf[warning].push_back(node.node);
        }
    }
    return mapped(nodesOf, [](const auto& entry) {
        return RunFinding{
            "cpu-quota", entry.first,
            entry.second.size() == 1 ? nodeText(entry.second.front()) : "nodes " + join(entry.second, ", ")};
    });
}

std::string describeExit(int code) {
    constexpr int signalBase = 128;
    const char* name =
        code > signalBase && code < signalBase + 32 ? ::sigabbrev_np(code - signalBase) : nullptr;
    return name == nullptr ? fmt::format("exit code {}", code)
                           : fmt::format("SIG{} (exit code {})", name, code);
}

}  // namespace dlperf::run
