// SPDX-License-Identifier: Apache-2.0
#include "app/cli_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <mutex>

#include "app/check_output.h"
#include "app/run_inputs.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/launch/plan_nodes.h"
#include "core/run/control.h"

namespace dlperf::app {
namespace {

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
    auto cluster = cluster::readCluster(expandHome(options.cluster));
    if (!cluster) {
        return Failure(cluster.error());
    }
    if (options.plan.empty()) {
        return launch::PlanNodes{*std::move(cluster), {}};
    }
    const auto plan = launch::readPlan(expandHome(options.plan));
    const auto recipes = chooseRecipes(options.recipes);
    if (!plan || !recipes) {
        return Failure(plan ? recipes.error() : plan.error());
    }
    return launch::planNodes(*plan, *cluster, *recipes);
}

// Says on a terminal how many nodes have answered; elsewhere it is silent.
class Counter {
public:
    explicit Counter(std::size_t all) : all_(all), shown_(::isatty(STDERR_FILENO) == 1) {}
    ~Counter() {
        if (shown_) {
            std::cerr << "\r\x1b[K";
        }
    }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    Counter(Counter&&) = delete;
    Counter& operator=(Counter&&) = delete;

    void answered() {
        const std::scoped_lock lock(mutex_);
        ++count_;
        if (shown_) {
            std::cerr << fmt::format("\r\x1b[K{} of {} nodes have answered", count_, all_) << std::flush;
        }
    }

private:
    std::mutex mutex_;
    std::size_t count_ = 0;
    std::size_t all_;
    bool shown_;
};

// Asks for the end of the work when a signal says so.
std::jthread listenFor(const run::HeldSignals& signals, std::stop_source& work) {
    return std::jthread([&signals, &work](const std::stop_token& done) {
        while (!done.stop_requested() && !work.stop_requested()) {
            if (signals.take() != nullptr) {
                work.request_stop();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    });
}

Result<void> write(const CheckOptions& options, const std::string& cluster, const remote::Preflight& found) {
    if (options.json.empty()) {
        std::cout << checkText(found) << std::flush;
        return std::cout ? Result<void>()
                         : fail("cannot be written to", "standard output", {}, ErrorKind::Work);
    }
    const std::string json =
        checkJson(cluster, found).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (options.json != "-") {
        std::cout << checkText(found) << std::flush;
        return writeFileAtomically(expandHome(options.json), json);
    }
    std::cout << json << std::flush;
    return std::cout ? Result<void>() : fail("cannot be written to", "standard output", {}, ErrorKind::Work);
}

int check(const CheckOptions& options) {
    run::reapChildren();
    const run::HeldSignals signals(false);
    const auto nodes = readNodes(options);
    if (!nodes) {
        return complain("check", nodes.error());
    }
    std::stop_source stop;
    remote::Preflight found;
    {
        const std::jthread listener = listenFor(signals, stop);
        Counter counter(nodes->cluster.nodes.size());
        remote::PreflightQuestions questions;
        questions.needs = nodes->needs;
        questions.reachOnly = options.reachOnly;
        questions.answered = [&](std::size_t) { counter.answered(); };
        found = remote::preflight(nodes->cluster, questions, stop.get_token(),
                                  terminalTransports({.mayPrompt = true, .acceptNew = options.acceptNew}));
    }
    if (stop.stop_requested()) {
        return complain("check", Error{"was interrupted", {}, {}, ErrorKind::Work});
    }
    if (const auto written = write(options, nodes->cluster.name, found); !written) {
        return complain("check", written.error());
    }
    return countChecks(found, cluster::Verdict::Failed) == 0 ? 0 : 1;
}

}  // namespace

void addCheckCommand(CLI::App& app, int& exitCode) {
    auto* command =
        app.add_subcommand("check", "Ask the nodes whether they are fit to run, each and together");
    const auto options = std::make_shared<CheckOptions>();
    command->add_option("CLUSTER", options->cluster, "The cluster, a JSON file")->required();
    command->add_option("--plan", options->plan,
                        "Check the nodes that this plan uses, for what its recipes need");
    command->add_flag("--reachable", options->reachOnly,
                      "Only whether each node is reached and lets you in, and how soon");
    command->add_option("--recipes", options->recipes, "Folder of recipes, searched before the bundled ones");
    command->add_option("--json", options->json, "Write JSON to this file, or - to standard output");
    command->add_flag("--accept-new", options->acceptNew, "Trust host keys that are not known yet");
    command->callback([options, &exitCode] { exitCode = check(*options); });
}

}  // namespace dlperf::app
