// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <set>

#include "app/terminal_questions.h"
#include "core/base/mapped.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/cluster/slurm.h"
#include "core/run/resolve_nodes.h"
#include "core/store/run_record.h"

namespace dlperf::app {
namespace {

struct PlanOptions {
    InputOptions inputs;
    bool json = false;
};

// What a run's job asks Slurm for, as the head of a job script has it.
std::vector<std::string> jobOptions(const Inputs& inputs, const launch::PlannedRun& run) {
    const cluster::Slurm& slurm = *inputs.campaign.cluster.slurm;
    const auto topologies = mapped(
        inputs.prepared.runs, [](const launch::PlannedRun& other) { return other.benchmarkCase.topology; });
    const auto [nodes, timeLimit] =
        cluster::jobSizeOf(slurm, run.benchmarkCase.topology, topologies,
                           std::chrono::seconds(inputs.campaign.plan.timeoutSeconds));
    std::vector<std::string> options{fmt::format("--nodes={}", nodes), "--ntasks-per-node=1"};
    if (timeLimit.count() > 0) {  // at most: less where the partition wants it
        options.push_back(fmt::format("--time={}", timeLimit.count()));
    }
    const auto asked = cluster::sbatchOptions(slurm);
    options.insert(options.end(), asked.begin(), asked.end());
    return options;
}

std::string loginOf(const cluster::Slurm& slurm) {
    return slurm.login->host.empty() ? "this machine" : slurm.login->host;
}

void printJob(const Inputs& inputs, const launch::PlannedRun& run) {
    if (!inputs.campaign.cluster.slurm) {
        return;
    }
    const cluster::Slurm& slurm = *inputs.campaign.cluster.slurm;
    std::cout << "\n# "
              << told(slurm.jobPerCampaign
                          ? fmt::format("one Slurm job for all runs, submitted on {}", loginOf(slurm))
                          : fmt::format("the Slurm job of {}, submitted on {}", shortName(run.benchmarkCase),
                                        loginOf(slurm)))
              << '\n';
    for (const std::string& option : jobOptions(inputs, run)) {
        std::cout << "#SBATCH " << printable(option) << '\n';
    }
}

const cluster::Node* nodeInContainer(const Inputs& inputs, const launch::NodeLaunch& launch) {
    const auto& nodes = inputs.campaign.cluster.nodes;
    const auto found = std::ranges::find(nodes, launch.node, &cluster::Node::name);
    return found == nodes.end() || !found->inContainer() ? nullptr : &*found;
}

// Of a node whose trainer runs in one.
void printContainer(const cluster::Node& node) {
    if (node.image.empty()) {
        std::cout << "# " << told(fmt::format("in a container, by {}", join(node.container, " "))) << '\n';
        return;
    }
    const std::string runtime = node.runtime.empty() ? "the first runtime that is there" : node.runtime;
    std::cout << "# " << told(fmt::format("in a container of {}, by {}", node.image, runtime))
              << (node.imageOptions.empty() ? "" : " " + printable(join(node.imageOptions, " "))) << '\n';
}

void printRun(const Inputs& inputs, const launch::PlannedRun& run) {
    for (const launch::NodeLaunch& node : run.nodes) {
        std::cout << fmt::format("\n# {}, node {} (rank {}){}\n", shortName(run.benchmarkCase), node.node,
                                 node.rank,
                                 node.startsScript ? "" : ": starts nothing itself, node 0 reaches it");
        if (!node.startsScript) {
            continue;
        }
        if (const cluster::Node* inContainer = nodeInContainer(inputs, node)) {
            printContainer(*inContainer);
        }
        std::cout << exportLines(node.environment);
        for (const std::string& secret : node.secrets) {
            std::cout << "# " << secret
                      << " is a secret: its value comes from the environment of `dlperf run`\n";
        }
        if (!node.setup.empty()) {
            std::cout << "# sourced before the script:\n" << node.setup << '\n';
        }
    }
}

void printText(const Inputs& inputs) {
    const launch::PreparedPlan& prepared = inputs.prepared;
    std::cout << printable(inputs.campaign.plan.name)
              << told(prepared.runs.size() == 1 ? fmt::format(": 1 run on {}", inputs.campaign.cluster.name)
                                                : fmt::format(": {} runs on {}", prepared.runs.size(),
                                                              inputs.campaign.cluster.name))
              << '\n';
    if (const auto& search = inputs.campaign.plan.search) {
        std::cout << told(
                         search->option.empty()
                             ? fmt::format(
                                   "searches the largest batch size that fits, from {} to {}, in steps of {}",
                                   inputs.campaign.plan.batchSizes.front(), search->most, search->multipleOf)
                             : fmt::format("searches the least value of {} that is as fast as any, up to {}, "
                                           "in steps of {}",
                                           search->option, search->most, search->multipleOf))
                  << '\n';
    }
    if (const auto& until = inputs.campaign.plan.until) {
        std::cout << told(fmt::format(
                         "repeats each case until the 95 % interval of its median is at most {} % wide, "
                         "with at most {} runs",
                         until->percent, until->most))
                  << '\n';
    }
    for (std::size_t i = 0; i < prepared.runs.size(); ++i) {
        const launch::PlannedRun& run = prepared.runs[i];
        std::cout << told(fmt::format("{:4}  {}  repetition {}  {} measured", i + 1,
                                      shortName(run.benchmarkCase), run.repetition, run.measured))
                  << '\n';
    }
    std::set<std::string> scripts;
    for (const launch::PlannedRun& run : prepared.runs) {
        if (scripts.insert(run.recipe).second) {
            std::cout << fmt::format("\n# launch.sh of {}, the same on every node\n{}", run.recipe,
                                     run.script);
        }
    }
    const bool isOneJob = inputs.campaign.cluster.slurm && inputs.campaign.cluster.slurm->jobPerCampaign;
    for (const launch::PlannedRun& run : prepared.runs) {
        if (run.repetition == 1) {
            if (&run == &prepared.runs.front() || !isOneJob) {
                printJob(inputs, run);
            }
            printRun(inputs, run);
        }
    }
}

Json containerJson(const cluster::Node* node) {
    return node == nullptr        ? Json()
           : !node->image.empty() ? Json{{"image", node->image},
                                         {"runtime", node->runtime.empty() ? Json() : Json(node->runtime)},
                                         {"options", node->imageOptions}}
                                  : Json{{"command", node->container}};
}

Json jobJson(const Inputs& inputs, const launch::PlannedRun& run) {
    if (!inputs.campaign.cluster.slurm) {
        return {};
    }
    const cluster::Slurm& slurm = *inputs.campaign.cluster.slurm;
    return {{"login", slurm.login->host.empty() ? Json() : Json(slurm.login->host)},
            {"jobs", slurm.jobPerCampaign ? "campaign" : "run"},
            {"options", jobOptions(inputs, run)}};
}

Json toJson(const Inputs& inputs, const launch::PlannedRun& run) {
    store::RunRecord record;
    record.result.benchmarkCase = run.benchmarkCase;
    record.result.defaults = run.defaults;
    record.result.repetition = run.repetition;
    record.result.range = run.range;
    record.result.format = run.format;
    record.result.unit = run.unit;
    record.recipeTitle = run.recipeTitle;
    Json json = store::toJson(record);
    for (const char* field : {"id", "campaign", "outcome", "reason", "throughput", "memory_mb", "started",
                              "ended", "facts", "origin", "plan"}) {
        json.erase(field);
    }
    json["script"] = run.script;
    json["slurm"] = jobJson(inputs, run);
    json["nodes"] = Json::array();
    for (const launch::NodeLaunch& node : run.nodes) {
        json["nodes"].push_back({{"name", node.node},
                                 {"rank", node.rank},
                                 {"starts_script", node.startsScript},
                                 {"environment", node.environment},
                                 {"secret_env", node.secrets},
                                 {"setup", node.setup},
                                 {"container", containerJson(nodeInContainer(inputs, node))}});
    }
    return json;
}

void printJson(const Inputs& inputs) {
    Json runs = Json::array();
    for (const launch::PlannedRun& run : inputs.prepared.runs) {
        runs.push_back(toJson(inputs, run));
    }
    Json skipped = Json::array();
    for (const Error& error : inputs.prepared.skipped) {
        skipped.push_back({{"recipe", error.where}, {"reason", reasonOf(error)}});
    }
    Json json{{"name", inputs.campaign.plan.name}, {"runs", runs}, {"skipped", skipped}};
    if (const auto& search = inputs.campaign.plan.search) {
        json["search"] = launch::toJson(*search);
    }
    if (const auto& until = inputs.campaign.plan.until) {
        json["until"] = launch::toJson(*until);
    }
    std::cout << printedJson(json) << '\n';
}

Result<int> run(const PlanOptions& options) {
    const AskNodes resolve = [](run::CampaignInputs& campaign) -> Result<void> {
        campaign.cluster = TRY(run::resolveNodes(std::move(campaign.cluster), terminalTransports({})));
        return {};
    };
    const auto inputs = TRY(readInputs(options.inputs, resolve));
    for (const Error& skipped : inputs.prepared.skipped) {
        std::cerr << told("skipped: " + describe(skipped)) << '\n';
    }
    options.json ? printJson(inputs) : printText(inputs);
    TRY(flushOutput());
    return 0;
}

}  // namespace

void addPlanCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("plan", "List a plan's runs and what each node would get");
    const auto options = std::make_shared<PlanOptions>();
    addInputOptions(*command, options->inputs);
    command
        ->add_option("--workspace", options->inputs.workspace,
                     "A folder with runs, whose log formats recipes may write")
        ->type_name("FOLDER");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("plan", run(*options)); });
}

}  // namespace dlperf::app
