// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <mutex>

#include "app/status_line.h"
#include "app/stop_on_signal.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/cluster/fold_checks.h"
#include "core/cluster/host_lists.h"
#include "core/launch/plan_nodes.h"
#include "core/remote/held_nodes.h"
#include "core/remote/last_check.h"
#include "core/remote/preflight.h"
#include "core/run/control.h"

namespace dlperf::app {
namespace {

using cluster::Check;

struct CheckOptions {
    std::string cluster;
    std::string plan;
    std::string recipes;
    std::string json;  // a file, "-" for standard output, empty for none
    bool acceptNew = false;
    bool reachOnly = false;
};

// With a plan only the nodes that it uses, in its order.
Result<launch::PlanNodes> readNodes(const CheckOptions& options) {
    auto cluster = TRY(cluster::readCluster(expandHome(options.cluster)));
    if (options.plan.empty()) {
        return launch::PlanNodes{std::move(cluster), {}, {}, {}};
    }
    const auto plan = launch::readPlan(expandHome(options.plan));
    const auto recipes = chooseRecipes(options.recipes);
    if (!plan || !recipes) {
        return Failure(plan ? recipes.error() : plan.error());
    }
    return launch::planNodes(*plan, cluster, *recipes);
}

// Says on a terminal how many nodes have answered; elsewhere it is silent.
class Counter {
public:
    explicit Counter(std::size_t all) : all_(all) {}

    void answered() {
        const std::scoped_lock lock(mutex_);
        ++count_;
        if (line_.isOnTerminal()) {
            line_.show(fmt::format("{} of {} nodes have answered", count_, all_));
        }
    }

private:
    std::mutex mutex_;
    StatusLine line_;
    std::size_t count_ = 0;
    std::size_t all_;
};

// As wide as each other.
std::string wordOf(cluster::Verdict verdict) {
    switch (verdict) {
        case cluster::Verdict::Passed:
            return coloured(Colour::Good, "ok  ");
        case cluster::Verdict::Warning:
            return coloured(Colour::Warning, "warn");
        case cluster::Verdict::Failed:
            break;
    }
    return coloured(Colour::Bad, "FAIL");
}

std::string indented(const std::string& text) {
    std::string lines;
    for (const std::string_view line : split(text, '\n')) {
        lines += fmt::format("        {}\n", printable(std::string(line)));
    }
    return lines;
}

// `where`: the nodes, with ": ", where that is not said above.
std::string checkLines(const Check& check, const std::string& where) {
    std::string text = fmt::format("  {}  {}{}: {}\n", wordOf(check.verdict), printable(where),
                                   told(check.title), told(check.summary));
    if (check.verdict == cluster::Verdict::Passed) {
        return text;
    }
    for (const std::string& more : {terminalTranslation()(check.explanation), check.evidence}) {
        text += more.empty() ? "" : indented(more);
    }
    text += check.remedy.empty() ? "" : indented("-> " + told(check.remedy));
    return text + (check.command.empty() ? "" : indented("   " + check.command));
}

std::string checksText(const std::vector<Check>& checks) {
    std::string text;
    for (const Check& check : checks) {
        text += checkLines(check, "");
    }
    return text;
}

std::string nodeHead(const remote::NodePreflight& node) {
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

Json checksJson(const std::vector<Check>& checks) {
    Json list = Json::array();
    for (const Check& check : checks) {
        list.push_back({{"title", check.title},
                        {"verdict", check.verdict == cluster::Verdict::Passed    ? "passed"
                                    : check.verdict == cluster::Verdict::Warning ? "warning"
                                                                                 : "failed"},
                        {"summary", check.summary},
                        {"explanation", check.explanation},
                        {"evidence", check.evidence},
                        {"remedy", check.remedy},
                        {"command", check.command}});
    }
    return list;
}

// How many checks ended so, of the nodes and between them.
std::size_t countChecks(const remote::Preflight& found, cluster::Verdict verdict) {
    auto count = std::ranges::count(found.between, verdict, &Check::verdict);
    for (const remote::NodePreflight& node : found.nodes) {
        count += std::ranges::count(node.checks, verdict, &Check::verdict);
    }
    return static_cast<std::size_t>(count);
}

// A block a node, or of many nodes one line for what is alike.
std::string nodesText(const std::vector<remote::NodePreflight>& nodes) {
    constexpr std::size_t fewNodes = 4;
    std::string text;
    if (nodes.size() <= fewNodes) {
        for (const remote::NodePreflight& node : nodes) {
            text += nodeHead(node) + checksText(node.checks) + "\n";
        }
        return text;
    }
    std::vector<std::string> names;
    std::vector<std::pair<std::string, std::vector<Check>>> checks;
    for (const remote::NodePreflight& node : nodes) {
        names.push_back(node.answer.node.name);
        checks.emplace_back(node.answer.node.name, node.checks);
    }
    text = printable(cluster::foldNames(names)) + "\n";
    for (const cluster::FoldedCheck& folded : cluster::foldChecks(checks)) {
        const bool isOfAll = folded.nodes.size() == nodes.size();
        text += checkLines(folded.check, isOfAll ? "all: " : cluster::foldNames(folded.nodes) + ": ");
    }
    return text + "\n";
}

// The nodes, what is between them, and a line that sums up. Remote text is cleaned.
std::string checkText(const remote::Preflight& found) {
    std::string text = nodesText(found.nodes);
    if (!found.between.empty()) {
        text += told("between the nodes") + "\n" + checksText(found.between) + "\n";
    }
    const auto reached = std::ranges::count_if(
        found.nodes, [](const remote::NodePreflight& node) { return node.reachedAfter.has_value(); });
    return text +
           told(fmt::format("{} of {} nodes reached; {} checks passed, {} to look at, {} failed", reached,
                            found.nodes.size(), countChecks(found, cluster::Verdict::Passed),
                            countChecks(found, cluster::Verdict::Warning),
                            countChecks(found, cluster::Verdict::Failed))) +
           "\n";
}

Json checkJson(const std::string& cluster, const remote::Preflight& found) {
    Json nodes = Json::array();
    for (const remote::NodePreflight& node : found.nodes) {
        const bool reached = node.reachedAfter.has_value();
        nodes.push_back({{"name", node.answer.node.name},
                         {"reached", reached},
                         {"reached_after_s", reached ? Json(*node.reachedAfter) : Json()},
                         {"checks", checksJson(node.checks)}});
    }
    return {{"cluster", cluster},
            {"nodes", std::move(nodes)},
            {"between", checksJson(found.between)},
            {"passed", countChecks(found, cluster::Verdict::Passed)},
            {"warnings", countChecks(found, cluster::Verdict::Warning)},
            {"failed", countChecks(found, cluster::Verdict::Failed)}};
}

Result<void> write(const CheckOptions& options, const std::string& cluster, const remote::Preflight& found) {
    if (options.json != "-") {
        std::cout << checkText(found);
    }
    return options.json.empty() ? flushOutput()
                                : writeOutput(options.json, printedJson(checkJson(cluster, found)) + "\n");
}

Result<int> check(const CheckOptions& options) {
    run::reapChildren();
    StopOnSignal signals;
    const auto nodes = TRY(readNodes(options));
    const auto transports = terminalTransports({.mayPrompt = true, .acceptNew = options.acceptNew});
    const auto held = TRY(remote::holdNodes(nodes.cluster, transports, tellWait, signals.token()));
    remote::Preflight found;
    {
        Counter counter(nodes.cluster.nodes.size());
        remote::PreflightQuestions questions;
        questions.needs = nodes.needs;
        questions.recipes = nodes.recipes;
        questions.interfaces = nodes.interfaces;
        questions.reachOnly = options.reachOnly;
        questions.lastChecks = remote::lastChecks();
        questions.answered = [&](std::size_t) { counter.answered(); };
        found = remote::preflight(held.cluster, questions, signals.token(), held.transports);
    }
    if (signals.isAsked()) {
        return fail("was interrupted", {}, {}, ErrorKind::Work);
    }
    TRY(write(options, nodes.cluster.name, found));
    return countChecks(found, cluster::Verdict::Failed) == 0 ? 0 : 1;
}

}  // namespace

void addCheckCommand(CLI::App& app, int& exitCode) {
    auto* command =
        app.add_subcommand("check", "Ask the nodes whether they are fit to run, each and together");
    const auto options = std::make_shared<CheckOptions>();
    command->add_option("CLUSTER", options->cluster, "The cluster, a JSON file")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--plan", options->plan,
                     "Check the nodes that this plan uses, for what its recipes need")
        ->type_name("FILE");
    command->add_flag("--reachable", options->reachOnly,
                      "Only whether each node is reached and lets you in, and how soon");
    command->add_option("--recipes", options->recipes, "Folder of recipes, searched before the bundled ones")
        ->type_name("FOLDER");
    command->add_option("--json", options->json, "Write JSON to this file, or - to standard output")
        ->type_name("FILE");
    command->add_flag("--accept-new", options->acceptNew, "Trust host keys that are not known yet");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("check", check(*options)); });
}

}  // namespace dlperf::app
