// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_diagnosis.h"

#include <utility>

namespace dlperf::run {
std::vector<diagnosis::Hint> diagnoseRun(const diagnosis::Rules& rules, const StopDecision& stop,
                                         const std::vector<NodeEnd>& nodes, const Verdict& verdict) {
    std::vector<diagnosis::Hint> hints;
    if (!rules) {
        return hints;
    }
    const auto add = [&](const std::vector<diagnosis::Hint>& more) {
        hints.insert(hints.end(), more.begin(), more.end());
    };
    for (const NodeEnd& node : nodes) {
        add(node.hints);
    }
    for (const NodeEnd& node : nodes) {  // after the logs: a line says more than a code
        if (node.node == stop.node && node.remote && node.remote->exitCode) {
            add(diagnosis::hintsOfExit(*rules, node.node, *node.remote->exitCode));
        }
    }
    return diagnosis::mostTelling(std::move(hints), verdict.outcome == Outcome::Ok);
}

}  // namespace dlperf::run
