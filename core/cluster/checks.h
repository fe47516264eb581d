// SPDX-License-Identifier: Apache-2.0
// Preflight checks: one question each, asked of what probes found on a node or on all; with a verdict and,
// where something is to be done, a remedy that can be copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/probe.h"

namespace dlperf::cluster {

enum class Verdict { Passed, Warning, Failed };

struct Check {
    std::string title;  // "Work folder"
    Verdict verdict = Verdict::Passed;
    std::string summary;      // what was found: "812 GB free in ~/dlperf"
    std::string explanation;  // why it matters, sentences; empty when passed
    std::string evidence;     // lines as the node printed them; may be empty
    std::string remedy;       // what to do, without a full stop: "Give the container more shared memory"
    std::string command;      // to copy; may be empty
    bool stopsRun = false;    // no run can go well on this node
};

// What a plan asks of a node; nothing without a plan.
struct Needs {
    std::vector<std::string> commands{};
    int devices = 0;               // the most of any run
    bool sshBetweenNodes = false;  // a launcher there starts the others
    std::int64_t threads = 0;      // that its processes compute with, the most of any run; 0: not known
};

[[nodiscard]] Check passed(std::string title, std::string summary);
[[nodiscard]] Check warning(std::string title, std::string summary, std::string explanation,
                            std::string remedy, std::string command, std::string evidence = {});
[[nodiscard]] Check failed(std::string title, std::string summary, std::string explanation,
                           std::string remedy, std::string command, std::string evidence = {});

// Of a node that did not answer.
[[nodiscard]] Check notReached(const Error& error);
// A check that stops a run, as an error of kind Work; no node: between them.
[[nodiscard]] Error errorOf(const Check& check, const std::string& node);

// In the order in which they are read: what stops a run first. Checks that do not apply to the node (GPUs,
// InfiniBand, a data folder) are left out.
[[nodiscard]] std::vector<Check> checkNode(const Node& node, const NodeFacts& facts, const Needs& needs = {});

struct NodeAnswer {
    Node node;
    std::optional<NodeFacts> facts;  // nothing: not reached
    Error error{};                   // why
};

// Nodes that were not reached are passed over. Nothing for what no node can differ in, as with one node. What
// differs names the nodes that do.
[[nodiscard]] std::vector<Check> checkCluster(const std::vector<NodeAnswer>& nodes);

}  // namespace dlperf::cluster
