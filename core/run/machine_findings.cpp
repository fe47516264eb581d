// SPDX-License-Identifier: Apache-2.0
#include "core/run/machine_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/cluster.h"
#include "core/model/node_name.h"

namespace dlperf::run {
namespace {

// The value of the line "key=value"; empty without one.
std::string factOf(const NodeEnd& node, std::string_view key) {
    for (const std::string_view line : split(node.facts, '\n')) {
        if (line.starts_with(key) && line.substr(key.size()).starts_with('=')) {
            return std::string(line.substr(key.size() + 1));
        }
    }
    return {};
}

// Ranks of the nodes that are one machine; one that does not say which it is stands alone.
using Machines = std::vector<std::vector<std::size_t>>;

Machines machinesOf(const std::vector<NodeEnd>& nodes) {
    Machines machines;
    std::map<std::string, std::size_t> placeOf;
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
        const std::string machine = factOf(nodes[rank], "machine");
        const auto [place, isNew] =
            machine.empty() ? std::pair(placeOf.end(), true) : placeOf.emplace(machine, machines.size());
        if (isNew) {
            machines.push_back({rank});
        } else {
            machines[place->second].push_back(rank);
        }
    }
    return machines;
}

std::string nodesText(const std::vector<NodeEnd>& nodes, const std::vector<std::size_t>& ranks) {
    const auto names = mapped(ranks, [&](std::size_t rank) { return nodes[rank].node; });
    return names.size() == 1 ? nodeText(names.front()) : "nodes " + cluster::named(names);
}

// Of "AMD EPYC 7763, 128 cores"; 0 where that is not known.
int coresOf(const NodeEnd& node) {
    const auto words = factOf(node, "cpu");
    const auto parts = wordsIn(words);
    return parts.size() < 2 || parts.back() != "cores" ? 0 : toInt(parts[parts.size() - 2]).value_or(0);
}

bool computesOnGpus(const launch::PlannedRun& run, const NodeEnd& node) {
    return !factOf(node, "gpu").empty() && run.usesGpus();
}

}  // namespace

std::vector<RunFinding> machineFindings(const std::vector<NodeEnd>& nodes) {
    std::vector<RunFinding> findings;
    for (const auto& ranks : machinesOf(nodes)) {
        if (ranks.size() > 1) {
            findings.push_back({"one-machine", nodesText(nodes, ranks) + " are one machine", {}});
        }
    }
    return findings;
}

std::vector<RunFinding> threadFindings(const launch::PlannedRun& run, const std::vector<NodeEnd>& nodes) {
    std::vector<RunFinding> findings;
    for (const auto& ranks : machinesOf(nodes)) {
        std::int64_t threads = 0;
        for (const std::size_t rank : ranks) {
            if (rank < run.nodes.size() && !computesOnGpus(run, nodes[rank])) {
                threads += std::int64_t{launch::computingThreads(run.nodes[rank].environment)} *
                           run.benchmarkCase.topology.devices;
            }
        }
        const int cores = coresOf(nodes[ranks.front()]);
        if (cores > 0 && threads > cores) {
            findings.push_back({"more-threads-than-cores",
                                fmt::format("{} threads compute on the {} cores of {}", threads, cores,
                                            nodesText(nodes, ranks)),
                                {}});
        }
    }
    return findings;
}

}  // namespace dlperf::run
