// SPDX-License-Identifier: Apache-2.0
#include "core/run/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

// What frameworks, CUDA, Python and the C++ library print; "out of memory" counts in any letter case.
constexpr std::array<std::string_view, 8> memoryTexts{
    "OutOfMemoryError",         "RESOURCE_EXHAUSTED",        "ResourceExhausted", "OOM when allocating",
    "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation", "MemoryError",       "std::bad_alloc"};
constexpr std::string_view anyMemoryText = "out of memory";

constexpr std::uint64_t fullDiskKib = 1024;

// The copy of every node agrees with the node's own log; else what differs.
std::string disagreement(const std::vector<NodeEnd>& nodes) {
    for (const NodeEnd& node : nodes) {
        if (!node.ranScript) {
            continue;
        }
        if (!node.remote) {
            return fmt::format("node {} could not be asked at the end: {}", node.node, node.trouble);
        }
        if (node.remote->logBytes != node.localBytes) {
            return fmt::format("the log of node {} has {} bytes there and {} here", node.node,
                               node.remote->logBytes, node.localBytes);
        }
        if (node.remote->sha256 != node.localSha256) {
            return fmt::format("the log of node {} differs from its copy here", node.node);
        }
    }
    return {};
}

// What dlperf-worker says of a process of its own that has said itself why it ends.
bool isLaunchersEcho(std::string_view line) {
    return line.starts_with("dlperf-worker: rank ") && line.ends_with("; ending the others") &&
           line.find(") ended with exit code ") != std::string_view::npos;
}

// What explains a failure better than an exit code. The log is read now that all of it is here.
std::string circumstances(const StopDecision& stop, const std::vector<NodeEnd>& nodes) {
    std::string text;
    const auto culprit =
        std::find_if(nodes.begin(), nodes.end(), [&](const NodeEnd& node) { return node.node == stop.node; });
    if (const std::string said = culprit == nodes.end() ? std::string() : lastLine(culprit->localLog);
        !said.empty()) {
        text += ", its last line: " + said;
    }
    for (const NodeEnd& node : nodes) {
        if (node.remote && node.remote->freeKib.value_or(fullDiskKib) < fullDiskKib) {
            text += fmt::format("; the disk of node {} is full", node.node);
        }
    }
    return text;
}

Verdict judgeEnded(const std::vector<NodeEnd>& nodes, bool windowReached, const analysis::RunFigure& figure) {
    for (const NodeEnd& node : nodes) {
        if (node.ranScript && node.remote && node.remote->exitCode.value_or(1) != 0) {
            return {Outcome::Failed, fmt::format("node {}: the trainer ended with {}", node.node,
                                                 node.remote->exitCode ? describeExit(*node.remote->exitCode)
                                                                       : "no exit code")};
        }
    }
    if (!windowReached || !figure.value) {
        return {Outcome::Short, figure.value ? "the log ends before the window does" : figure.whyNone};
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
            texts.push_back(fmt::format("node {} could not be stopped: {}", node.node, node.stopTrouble));
        }
        if (!node.processesLeft.empty()) {
            texts.push_back(fmt::format("node {}: {} {} still running", node.node,
                                        numbered(node.processesLeft),
                                        node.processesLeft.size() == 1 ? "is" : "are"));
        }
    }
    return join(texts, "; ");
}

Verdict judgeTraining(const StopDecision& stop, const std::vector<NodeEnd>& nodes, bool windowReached,
                      const analysis::RunFigure& figure) {
    if (stop.cause == StopCause::Cancelled) {
        return {Outcome::Cancelled, stop.reason};
    }
    Verdict verdict{Outcome::Failed, stop.reason};
    if (stop.cause == StopCause::TrainerEnded) {
        verdict = judgeEnded(nodes, windowReached, figure);
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
    const auto memory = std::find_if(nodes.begin(), nodes.end(),
                                     [](const NodeEnd& node) { return saysOutOfMemory(node.localLog); });
    if (memory != nodes.end()) {
        return {Outcome::Oom, fmt::format("node {}: memory ran out", memory->node)};
    }
    verdict.reason += circumstances(stop, nodes);
    return verdict;
}

}  // namespace

Verdict judge(const StopDecision& stop, const std::vector<NodeEnd>& nodes, bool windowReached,
              const analysis::RunFigure& figure) {
    Verdict verdict = judgeTraining(stop, nodes, windowReached, figure);
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

std::string gpuWarning(const NodeEnd& node) {
    if (node.gpuProcessesLeft.empty()) {
        return {};
    }
    const bool one = node.gpuProcessesLeft.size() == 1;
    return fmt::format("node {}: GPU {} {} not there before the run and {} not known to belong to it",
                       node.node, numbered(node.gpuProcessesLeft), one ? "was" : "were", one ? "is" : "are");
}

std::string describeExit(int code) {
    constexpr int signalBase = 128;
    const char* name =
        code > signalBase && code < signalBase + 32 ? ::sigabbrev_np(code - signalBase) : nullptr;
    return name == nullptr ? fmt::format("exit code {}", code)
                           : fmt::format("SIG{} (exit code {})", name, code);
}

std::string lastLine(const std::filesystem::path& log) {
    constexpr std::streamoff tail = 4096;
    constexpr std::size_t longest = 200;
    std::ifstream stream(log, std::ios::binary | std::ios::ate);
    const std::streamoff size = stream.tellg();
    if (size <= 0) {
        return {};
    }
    stream.seekg(std::max<std::streamoff>(0, size - tail));
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::replace(text.begin(), text.end(), '\r', '\n');
    std::replace(text.begin(), text.end(), '\0', ' ');
    std::string_view last;
    for (const std::string_view untrimmed : split(text, '\n')) {
        const std::string_view line = trim(untrimmed);
        if (!line.empty() && (last.empty() || !isLaunchersEcho(line))) {
            last = line;
        }
    }
    return cleanUtf8(last.substr(0, longest));
}

bool saysOutOfMemory(const std::filesystem::path& log) {
    std::ifstream stream(log, std::ios::binary);
    std::string window;  // a piece of the log, with the end of the piece before
    std::array<char, 65536> buffer{};
    while (stream) {
        stream.read(buffer.data(), buffer.size());
        window.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
        const auto holds = [&](std::string_view text) { return window.find(text) != std::string::npos; };
        if (std::any_of(memoryTexts.begin(), memoryTexts.end(), holds) ||
            lower(window).find(anyMemoryText) != std::string::npos) {
            return true;
        }
        window.erase(0, window.size() - std::min<std::size_t>(window.size(), 64));
    }
    return false;
}

}  // namespace dlperf::run
