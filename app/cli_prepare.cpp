// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>

#include "app/status_line.h"
#include "app/stop_on_signal.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/launch/plan_nodes.h"
#include "core/remote/held_nodes.h"
#include "core/run/environments.h"

namespace dlperf::app {
namespace {

using run::EnvironmentPhase;
using run::EnvironmentProgress;

struct PrepareOptions {
    InputOptions inputs;
    int timeout = 3600;
    bool json = false;
    bool acceptNew = false;
    bool answers = false;
};

Json toJson(const EnvironmentProgress& progress) {
    return {{"node", progress.node},
            {"recipe", progress.recipe},
            {"phase", run::toString(progress.phase)},
            {"message", progress.message},
            {"remedy", progress.remedy}};
}

// Tells each change: as a line of JSON for a program, as a redrawn line on a terminal, else where a phase
// begins.
class Reporter {
public:
    explicit Reporter(bool json) : json_(json) {}

    void operator()(const EnvironmentProgress& progress) {
        const std::scoped_lock lock(mutex_);
        if (json_) {
            std::cout << printedJson(toJson(progress), -1) << std::endl;
            return;
        }
        const std::string head = printable(fmt::format("{}  {}", progress.node, progress.recipe));
        const bool over =
            progress.phase == EnvironmentPhase::Ready || progress.phase == EnvironmentPhase::Failed;
        if (over) {
            line_.clear();
            std::cout << head << "  " << run::toString(progress.phase) << "  " << text(progress) << std::endl;
        } else if (line_.isOnTerminal() && !progress.message.empty()) {
            line_.show(head + "  " + told(progress.message));
        } else if (!line_.isOnTerminal() && last_[head] != progress.phase) {
            line_.show(fmt::format("{}  {} {}", head, run::toString(progress.phase), told(progress.message)));
        }
        last_[head] = progress.phase;
    }

private:
    static std::string text(const EnvironmentProgress& progress) {
        std::string lines;
        for (const std::string_view line : split(progress.message, '\n')) {
            lines += (lines.empty() ? "" : "\n    ") + told(std::string(line));
        }
        return lines + (progress.remedy.empty() ? "" : "\n    -> " + told(progress.remedy));
    }

    std::mutex mutex_;
    StatusLine line_;
    std::map<std::string, EnvironmentPhase> last_;
    bool json_;
};

Result<int> prepare(const PrepareOptions& options) {
    run::reapChildren();
    const StopOnSignal signals;
    auto cached = TRY(options.answers ? readCachedCredentials() : remote::CachedCredentials{});
    const auto plan = TRY(launch::readPlan(expandHome(options.inputs.plan)));
    const auto cluster =
        TRY(options.inputs.cluster.empty() ? cluster::thisMachine()
                                           : cluster::readCluster(expandHome(options.inputs.cluster)));
    const auto recipes = TRY(chooseRecipes(options.inputs.recipes));
    for (const std::string& name : plan.recipes) {
        (void)TRY(launch::findRecipe(recipes, name, plan.name));
    }
    auto nodes = TRY(launch::planNodes(plan, cluster, recipes));
    const auto held = TRY(remote::holdNodes(
        nodes.cluster,
        terminalTransports(
            {.mayPrompt = !options.answers, .acceptNew = options.acceptNew, .cached = std::move(cached)}),
        tellWait, signals.token()));
    nodes.cluster = held.cluster;
    Reporter report(options.json);
    const auto ends = run::prepareEnvironments(
        nodes, held.transports, {}, std::chrono::seconds(options.timeout), std::ref(report), signals.token());
    if (ends.empty() && !options.json) {
        std::cout << told("nothing is to be prepared: the plan's recipes need no Python of their own")
                  << '\n';
    }
    TRY(flushOutput());
    const bool allReady = std::ranges::all_of(
        ends, [](const EnvironmentProgress& end) { return end.phase == EnvironmentPhase::Ready; });
    return allReady ? 0 : 1;
}

}  // namespace

void addPrepareCommand(CLI::App& app, int& exitCode) {
    auto* command =
        app.add_subcommand("prepare", "Make the nodes ready for a plan: the packages that its recipes need");
    const auto options = std::make_shared<PrepareOptions>();
    addInputOptions(*command, options->inputs);
    command->add_option("--timeout", options->timeout, "Seconds that one recipe on one node may take")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Write each change as a line of JSON");
    command->add_flag("--answers", options->answers,
                      "Read answers to logins from standard input, as the window gives them");
    command->add_flag("--accept-new", options->acceptNew, "Trust host keys that are not known yet");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("prepare", prepare(*options)); });
}

}  // namespace dlperf::app
