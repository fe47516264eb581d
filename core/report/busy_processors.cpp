// SPDX-License-Identifier: Apache-2.0
#include "core/report/busy_processors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/summary.h"
#include "core/base/text.h"
#include "core/model/node_name.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr double allBusy = 0.9;  // of the time of all processors
constexpr std::size_t mostNodes = 4;

// "node2" or "rank 5 (node2)", by its title.
bool isAt(const std::string& node, const std::string& where) {
    return where.empty() || where == node || where.ends_with("(" + node + ")");
}

// By node, those of each run that tells it.
std::map<std::string, std::vector<double>> usesOf(const std::vector<const RunResult*>& runs,
                                                  const std::string& where) {
    std::map<std::string, std::vector<double>> uses;
    for (const RunResult* run : runs) {
        for (const NodeNoise& node : run->noise) {
            const std::string title = nodeTitle(node.node);
            if (node.inRange && node.cpuUse && isAt(title, where)) {
                uses[title].push_back(*node.cpuUse);
            }
        }
    }
    return uses;
}

}  // namespace

bool haveIdleProcessors(const std::vector<const RunResult*>& runs) {
    const bool isTold = std::ranges::all_of(runs, [](const RunResult* run) {
        return std::cmp_equal(run->noise.size(), run->benchmarkCase.topology.nodes) &&
               std::ranges::all_of(run->noise,
                                   [](const NodeNoise& node) { return node.inRange && node.cpuUse; });
    });
    return !runs.empty() && isTold && std::ranges::all_of(usesOf(runs, {}), [](const auto& node) {
        return analysis::medianOf(node.second) < allBusy;
    });
}

std::string busyProcessors(const std::vector<const RunResult*>& runs, const std::string& where) {
    std::vector<std::string> busy;
    double least = 1;
    for (const auto& [node, ofRuns] : usesOf(runs, where)) {
        const double use = analysis::medianOf(ofRuns);
        if (ofRuns.size() == runs.size() && use >= allBusy) {
            busy.push_back(node);
            least = std::min(least, use);
        }
    }
    if (busy.empty()) {
        return {};
    }
    const std::string nodes = joinSome(busy, mostNodes);
    const std::string share = percent(least);
    return share == percent(1) ? fmt::format("the processors of {} were busy all of the time", nodes)
           : busy.size() == 1
               ? fmt::format("the processors of {} were busy {} of the time", nodes, share)
               : fmt::format("the processors of {} were busy {} of the time or more", nodes, share);
}

}  // namespace dlperf::report
