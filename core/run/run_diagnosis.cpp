// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_diagnosis.h"

#include <array>
#include <fstream>
#include <utility>

namespace dlperf::run {
namespace {

std::vector<diagnosis::Hint> hintsOfLog(const diagnosis::Rules& rules, const NodeEnd& node) {
    diagnosis::LogDiagnosis reader(rules, node.node);
    std::ifstream stream(node.localLog, std::ios::binary);
    std::array<char, 65536> buffer{};
    while (stream) {
        stream.read(buffer.data(), buffer.size());
        reader.feed(std::string_view(buffer.data(), static_cast<std::size_t>(stream.gcount())));
    }
    reader.finish();
    return reader.hints();
}

}  // namespace

std::vector<diagnosis::Hint> diagnoseRun(const diagnosis::Rules& rules, const StopDecision& stop,
                                         const std::vector<NodeEnd>& nodes, const Verdict& verdict) {
    std::vector<diagnosis::Hint> hints;
    if (!rules) {
        return hints;
    }
    const auto add = [&](std::vector<diagnosis::Hint> more) {
        hints.insert(hints.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    for (const NodeEnd& node : nodes) {
        if (node.ranScript && !node.localLog.empty()) {
            add(hintsOfLog(rules, node));
        }
    }
    for (const NodeEnd& node : nodes) {  // after the logs: a line says more than a code
        if (node.node == stop.node && node.remote && node.remote->exitCode) {
            add(diagnosis::hintsOfExit(*rules, node.node, *node.remote->exitCode));
        }
    }
    return diagnosis::mostTelling(std::move(hints), verdict.outcome == Outcome::Ok);
}

}  // namespace dlperf::run
