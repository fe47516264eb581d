// SPDX-License-Identifier: Apache-2.0
#include "core/report/busy_processors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/summary.h"
#include "core/base/text.h"
#include "core/report/numbers.h"

namespace dlperf::report {
namespace {

constexpr double allBusy = 0.9;  // of the time of all processors
constexpr std::size_t mostNodes = 4;

bool isAt(const std::string& node, const std::string& where) {
    return where.empty() || where == node || where.ends_with("(" + node + ")");
}

// By node, those of each run that tells it.
std::map<std::string, std::vector<double>> usesOf(const std::vector<const RunResult*>& runs,
                                                  const std::string& where) {
    std::map<std::string, std::vector<double>> uses;
    for (const RunResult* run : runs) {
        for (const NodeNoise& node : run->noise) {
            if (node.inRange && node.cpuUse && isAt(node.node, where)) {
                uses[node.node].push_back(*node.cpuUse);
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
    const std::string nodes = joinSome(busy, mostNodes);
    return busy.empty() ? std::string()
           : busy.size() == 1
               ? fmt::format("the processors of {} were busy {} of the time", nodes, percent(least))
               : fmt::format("the processors of {} were busy {} of the time or more", nodes, percent(least));
}

}  // namespace dlperf::report
