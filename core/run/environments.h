// SPDX-License-Identifier: Apache-2.0
// Makes nodes ready for a plan: the virtual environments that its recipes ask for, and copies of checkouts.
// What is ready is left alone. On a node this is a run like any other (it takes the node's lock, goes on
// without us, leaves no process behind), with a script of ours in the trainer's place.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/launch/plan_nodes.h"
#include "core/remote/transport.h"
#include "core/run/settings.h"

namespace dlperf::run {

enum class EnvironmentPhase { Looking, ToPrepare, Waiting, Working, Ready, Failed };

[[nodiscard]] const char* toString(EnvironmentPhase phase);

// Where one recipe on one node stands.
struct EnvironmentProgress {
    std::string node;
    std::string recipe;
    EnvironmentPhase phase = EnvironmentPhase::Looking;
    // What it waits for, the last line of pip, the Python that is ready, or why it failed.
    std::string message;
    std::string remedy{};  // where it failed
};

// Hears of each change, from any thread.
using PublishEnvironment = std::function<void(const EnvironmentProgress&)>;

// By node and recipe; each is Ready, ToPrepare or Failed. Only looks.
[[nodiscard]] std::vector<EnvironmentProgress> findEnvironments(const launch::PlanNodes& plan,
                                                                const remote::TransportFactory& transports,
                                                                const std::stop_token& stop);

// By node and recipe; each is Ready or Failed. The nodes work at the same time, one recipe after the other.
// Each preparation has its own time limit. A stop ends what is under way, on the nodes too.
[[nodiscard]] std::vector<EnvironmentProgress> prepareEnvironments(
    const launch::PlanNodes& plan, const remote::TransportFactory& transports, const Settings& settings,
    std::chrono::seconds timeout, const PublishEnvironment& publish, const std::stop_token& stop);

}  // namespace dlperf::run
