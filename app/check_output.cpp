// SPDX-License-Identifier: Apache-2.0
#include "app/check_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/run_inputs.h"
#include "core/base/text.h"
#include "core/cluster/host_text.h"

namespace dlperf::app {
namespace {

using cluster::Check;
using cluster::Verdict;

const char* wordOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Passed:
            return "ok";
        case Verdict::Warning:
            return "warn";
        case Verdict::Failed:
            break;
    }
    return "FAIL";
}

std::string indented(const std::string& text) {
    std::string lines;
    for (const std::string_view line : split(text, '\n')) {
        lines += fmt::format("        {}\n", printable(std::string(line)));
    }
    return lines;
}

std::string textOf(const std::vector<Check>& checks) {
    std::string text;
    for (const Check& check : checks) {
        text +=
            fmt::format("  {:<4}  {}: {}\n", wordOf(check.verdict), check.title, printable(check.summary));
        if (check.verdict == Verdict::Passed) {
            continue;
        }
        for (const std::string& more : {check.explanation, check.evidence}) {
            text += more.empty() ? "" : indented(more);
        }
        text += check.remedy.empty() ? "" : indented("-> " + check.remedy);
        text += check.command.empty() ? "" : indented("   " + check.command);
    }
    return text;
}

std::string headOf(const remote::NodePreflight& node) {
    const std::string host = cluster::hostText(node.answer.node);
    std::string head =
        printable(node.answer.node.name) + "  " + (host.empty() ? "this machine" : printable(host));
    if (node.answer.facts) {
        const auto& gpus = node.answer.facts->gpus;
        head += gpus.empty() ? fmt::format("  {} CPU processes", node.answer.facts->devices(node.answer.node))
                             : fmt::format("  {} x {}", gpus.size(), printable(gpus.front().name));
    }
    return head + "\n";
}

Json toJson(const std::vector<Check>& checks) {
    Json list = Json::array();
    for (const Check& check : checks) {
        list.push_back({{"title", check.title},
                        {"verdict", check.verdict == Verdict::Passed    ? "passed"
                                    : check.verdict == Verdict::Warning ? "warning"
                                                                        : "failed"},
                        {"summary", check.summary},
                        {"explanation", check.explanation},
                        {"evidence", check.evidence},
                        {"remedy", check.remedy},
                        {"command", check.command}});
    }
    return list;
}

}  // namespace

std::size_t countChecks(const remote::Preflight& found, Verdict verdict) {
    auto count = std::ranges::count(found.between, verdict, &Check::verdict);
    for (const remote::NodePreflight& node : found.nodes) {
        count += std::ranges::count(node.checks, verdict, &Check::verdict);
    }
    return static_cast<std::size_t>(count);
}

std::string checkText(const remote::Preflight& found) {
    std::string text;
    for (const remote::NodePreflight& node : found.nodes) {
        text += headOf(node) + textOf(node.checks) + "\n";
    }
    if (!found.between.empty()) {
        text += "between the nodes\n" + textOf(found.between) + "\n";
    }
    const auto reached = std::ranges::count_if(
        found.nodes, [](const remote::NodePreflight& node) { return node.reachedAfter.has_value(); });
    return text + fmt::format("{} of {} nodes reached; {} checks passed, {} to look at, {} failed\n", reached,
                              found.nodes.size(), countChecks(found, Verdict::Passed),
                              countChecks(found, Verdict::Warning), countChecks(found, Verdict::Failed));
}

Json checkJson(const std::string& cluster, const remote::Preflight& found) {
    Json nodes = Json::array();
    for (const remote::NodePreflight& node : found.nodes) {
        const bool reached = node.reachedAfter.has_value();
        nodes.push_back({{"name", node.answer.node.name},
                         {"reached", reached},
                         {"reached_after_s", reached ? Json(*node.reachedAfter) : Json()},
                         {"checks", toJson(node.checks)}});
    }
    return {{"cluster", cluster},
            {"nodes", std::move(nodes)},
            {"between", toJson(found.between)},
            {"passed", countChecks(found, Verdict::Passed)},
            {"warnings", countChecks(found, Verdict::Warning)},
            {"failed", countChecks(found, Verdict::Failed)}};
}

}  // namespace dlperf::app
