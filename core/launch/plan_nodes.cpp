// SPDX-License-Identifier: Apache-2.0
#include "core/launch/plan_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/named_interfaces.h"

namespace dlperf::launch {
namespace {

// An option whose default is a needed command ("python": "python3") says which one it is.
std::string chosenCommand(const std::string& command, const Recipe& recipe, const OptionValues& chosen,
                          const cluster::Node& node) {
    for (const RecipeOption& option : recipe.options) {
        if (option.defaultValue != command) {
            continue;
        }
        if (const auto own = node.env.find(optionVariable(option.name)); own != node.env.end()) {
            return own->second;
        }
        if (const auto value = chosen.find(option.name); value != chosen.end()) {
            return value->second;
        }
    }
    return command;
}

void addNeeds(cluster::Needs& needs, const Recipe& recipe, const OptionValues& options,
              const cluster::Node& node, bool isFirst) {
    const std::string launcher = firstNodeLauncher(recipe, options);
    needs.sshBetweenNodes =
        needs.sshBetweenNodes || recipe.sshBetweenNodes || (!launcher.empty() && launcher != slurmLauncher);
    if (startOf(recipe, options) == StartOn::FirstNode && !isFirst) {
        return;
    }
    const auto add = [&](const std::string& command) {
        if (!command.empty() && std::ranges::find(needs.commands, command) == needs.commands.end()) {
            needs.commands.push_back(command);
        }
    };
    for (const std::string& needed : recipe.neededCommands) {
        add(chosenCommand(needed, recipe, options, node));
    }
    add(launcher);
}

// Of a process on the node: what the plan says over what the node says, and the option's own value last.
int threadsOf(const Recipe& recipe, const CaseSettings& settings, const cluster::Node& node) {
    auto environment = node.env;
    for (const auto& [variable, value] : settings.env) {
        environment[variable] = value;
    }
    for (const RecipeOption& option : recipe.options) {
        const auto chosen = settings.options.find(option.name);
        environment.try_emplace(optionVariable(option.name),
                                chosen == settings.options.end() ? option.defaultValue : chosen->second);
    }
    return computingThreads(environment);
}

// The most of any topology.
Topology reachOf(const Plan& plan) {
    Topology most{1, 1};
    const auto take = [&](const Topology& one) {
        most.nodes = std::max(most.nodes, one.nodes);
        most.devices = std::max(most.devices, one.devices);
    };
    if (plan.only.empty()) {
        std::ranges::for_each(plan.topologies, take);
    }
    for (const PlannedCase& one : plan.only) {
        take(one.topology);
    }
    return most;
}

}  // namespace

Result<const Recipe*> findRecipe(const RecipeBook& recipes, const std::string& name,
                                 const std::string& where) {
    const Recipe* recipe = recipes.find(name);
    if (recipe == nullptr) {
        for (const Error& problem : recipes.problems) {
            if (problem.where.find("/" + name + "/") != std::string::npos) {
                return Failure(problem);
            }
        }
        const std::string meant = nearestOf(name, mapped(recipes.recipes, &Recipe::name));
        return fail(fmt::format("there is no recipe \"{}\"", name), where,
                    meant.empty() ? "`dlperf recipes` lists them; --recipes DIR says where others stand."
                                  : fmt::format("Did you mean \"{}\"? `dlperf recipes` lists all.", meant));
    }
    return recipe;
}

Result<std::vector<const cluster::Node*>> chosenNodes(const Plan& plan, const cluster::Cluster& cluster) {
    std::vector<const cluster::Node*> nodes;
    if (plan.nodes.empty()) {
        for (const cluster::Node& node : cluster.nodes) {
            nodes.push_back(&node);
        }
    }
    for (const std::string& name : plan.nodes) {
        const auto found = std::ranges::find(cluster.nodes, name, &cluster::Node::name);
        if (found == cluster.nodes.end()) {
            return fail(
                fmt::format("the plan names node \"{}\", which cluster \"{}\" has not", name, cluster.name),
                plan.name, "Correct \"nodes\" in the plan, or add the node to the cluster.");
        }
        nodes.push_back(&*found);
    }
    return nodes;
}

cluster::RecipeNeeds needsOf(const Recipe& recipe, const OptionValues& options, const cluster::Node& node) {
    cluster::RecipeNeeds needs = recipe.needs;
    for (const RecipeOption& option : recipe.options) {
        const auto chosen = options.find(option.name);
        const auto own = node.env.find(optionVariable(option.name));
        needs.options[option.name] = own != node.env.end()     ? own->second
                                     : chosen != options.end() ? chosen->second
                                                               : option.defaultValue;
    }
    return needs;
}

Result<PlanNodes> planNodes(const Plan& plan, const cluster::Cluster& cluster, const RecipeBook& recipes) {
    auto chosen = TRY(chosenNodes(plan, cluster));
    const Topology reach = reachOf(plan);
    chosen.resize(std::min(chosen.size(), static_cast<std::size_t>(reach.nodes)));
    PlanNodes used{{cluster.name, {}, cluster.slurm}, {}, {}, {}};
    for (const cluster::Node* node : chosen) {
        cluster::Needs needs;
        std::vector<cluster::RecipeNeeds> ofRecipes;
        needs.devices = reach.devices;
        for (const std::string& name : plan.recipes) {
            const Recipe* recipe = recipes.find(name);
            if (recipe == nullptr) {
                continue;
            }
            std::set<std::string> looked;  // values that make no difference to what is looked for
            for (const CaseSettings& settings : settingsOf(plan, name)) {
                addNeeds(needs, *recipe, settings.options, *node, used.needs.empty());
                needs.threads = std::max(needs.threads,
                                         std::int64_t{threadsOf(*recipe, settings, *node)} * reach.devices);
                auto more = needsOf(*recipe, settings.options, *node);
                if (more.any() &&
                    looked.insert(environmentScript(*node, more, cluster::Depth::Files)).second) {
                    ofRecipes.push_back(std::move(more));
                }
            }
        }
        used.cluster.nodes.push_back(*node);
        used.needs.push_back(std::move(needs));
        used.recipes.push_back(std::move(ofRecipes));
    }
    if (const auto named = plan.env.find("DLPERF_INTERFACE"); named != plan.env.end() && chosen.size() > 1) {
        used.interfaces = cluster::interfacesIn(join(named->second, ","));
    }
    return used;
}

}  // namespace dlperf::launch
