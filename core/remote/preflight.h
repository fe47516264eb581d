// SPDX-License-Identifier: Apache-2.0
// All preflight checks of a cluster: all nodes are reached at the same time, within 30 s, then asked at the
// same time.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cluster/link_checks.h"
#include "core/cluster/recipe_needs.h"
#include "core/remote/transport.h"

namespace dlperf::remote {

struct PreflightQuestions {
    std::vector<cluster::Needs> needs{};                       // by node; empty: nothing
    std::vector<std::vector<cluster::RecipeNeeds>> recipes{};  // the same; what recipes need beyond that
    bool countData = true;                                     // up to 20 s where the data set is large
    bool links = true;                                         // let the nodes connect to each other
    std::vector<std::string> interfaces{};                     // tried as well: see named_interfaces.h
    bool reachOnly = false;                                    // ask nothing of those that are reached
    std::filesystem::path lastChecks{};                        // see last_check.h; empty: nothing is compared
    // Hears of each node that has answered or will not, from any thread.
    std::function<void(std::size_t node)> answered{};
};

struct NodePreflight {
    cluster::NodeAnswer answer;          // the node with the address that an SSH alias stands for
    std::vector<cluster::Check> checks;  // "Reachable" first
    std::optional<double> reachedAfter;  // seconds until it could be asked; nothing: it was not reached
    std::vector<cluster::RecipeEnvironment>
        environments{};  // of the recipes that were asked for, in their order
};

struct Preflight {
    std::vector<NodePreflight> nodes;     // in the cluster's order
    std::vector<cluster::Check> between;  // over all nodes, and between them
};

[[nodiscard]] Preflight preflight(const cluster::Cluster& cluster, const PreflightQuestions& questions,
                                  const std::stop_token& stop,
                                  const TransportFactory& transports = openTransport);

// Looks for what the recipe needs on the node, within minutes.
[[nodiscard]] Result<cluster::RecipeEnvironment> findEnvironment(Transport& transport,
                                                                 const cluster::Node& node,
                                                                 const cluster::RecipeNeeds& needs,
                                                                 cluster::Depth depth,
                                                                 const std::stop_token& stop);

// Whether nodes that are reached, each by its transport, reach each other over these interfaces. Each
// interface takes seconds, and a minute or more where nodes do not answer; an error says which node could not
// be asked what it has.
[[nodiscard]] Result<std::vector<cluster::Check>> checkInterfaces(const std::vector<cluster::Node>& nodes,
                                                                  const std::vector<Transport*>& transports,
                                                                  const std::vector<std::string>& interfaces,
                                                                  const std::stop_token& stop);

// What lies between nodes that were asked before; those without facts are passed over.
[[nodiscard]] std::vector<cluster::Check> checkBetween(std::vector<cluster::NodeAnswer> nodes,
                                                       const std::stop_token& stop,
                                                       const TransportFactory& transports = openTransport);

// Asks the node what it is, within 200 s. An error says why it could not be asked. Transports that ask the
// user (interactiveTransports) make it wait for him.
[[nodiscard]] Result<cluster::NodeFacts> probeNode(const cluster::Node& node,
                                                   const std::filesystem::path& lastChecks,
                                                   const std::stop_token& stop,
                                                   const TransportFactory& transports = openTransport);

}  // namespace dlperf::remote
