// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_trouble.h"

#include <fmt/format.h>

#include <chrono>

#include "core/base/json.h"

namespace dlperf::run {
namespace {

constexpr const char* notReached = "not-reached";
constexpr const char* silent = "silent";

double secondsBetween(TimePoint from, TimePoint to) {
    return std::chrono::duration<double>(to - from).count();
}

diagnosis::Hint hintOfNotReached(const NodeTrouble& trouble, TimePoint at) {
    diagnosis::Hint hint;
    hint.rule = notReached;
    hint.severity = diagnosis::Severity::Warn;
    hint.node = trouble.node;
    hint.what = fmt::format("{} has not been reached for {}.", diagnosis::nameOf(trouble.node),
                            diagnosis::spanOf(secondsBetween(trouble.since, at)));
    hint.why = trouble.why.empty() ? std::string() : trouble.why + ".";
    hint.remedy =
        trouble.othersAnswer
            ? "Look at the machine. Others answer, so it is given up, and the run ended, once the time of "
              "--lost-after is over."
            : "Look at the machine and at the way there. No other node answers, so it may be our own "
              "network: its trainer goes on without us, and the run waits until its time is over.";
    return hint;
}

}  // namespace

Json toJson(const std::vector<NodeTrouble>& troubles) {
    Json list = Json::array();
    for (const NodeTrouble& trouble : troubles) {
        list.push_back({{"kind", trouble.kind == NodeTrouble::Kind::Silent ? silent : notReached},
                        {"node", trouble.node},
                        {"since", toIso8601(trouble.since)},
                        {"why", trouble.why},
                        {"others_answer", trouble.othersAnswer},
                        {"usual_s", trouble.usual}});
    }
    return list;
}

std::vector<NodeTrouble> troublesFromJson(const Json& json) {
    std::vector<NodeTrouble> troubles;
    if (!json.is_array()) {
        return troubles;
    }
    for (const Json& item : json) {
        const std::string kind = textOf(item, "kind");
        const auto since = parseIso8601(textOf(item, "since"));
        if (!since || (kind != silent && kind != notReached)) {
            continue;
        }
        NodeTrouble trouble;
        trouble.kind = kind == silent ? NodeTrouble::Kind::Silent : NodeTrouble::Kind::NotReached;
        trouble.node = textOf(item, "node");
        trouble.since = *since;
        trouble.why = textOf(item, "why");
        const auto others = item.find("others_answer");
        trouble.othersAnswer = others != item.end() && others->is_boolean() && others->get<bool>();
        const auto usual = item.find("usual_s");
        trouble.usual = usual != item.end() && usual->is_number() ? usual->get<double>() : 0;
        troubles.push_back(std::move(trouble));
    }
    return troubles;
}

std::vector<diagnosis::Hint> hintsOf(const diagnosis::Rules& rules, const std::vector<NodeTrouble>& troubles,
                                     TimePoint at) {
    std::vector<diagnosis::Hint> hints;
    for (const NodeTrouble& trouble : troubles) {
        if (trouble.kind == NodeTrouble::Kind::NotReached) {
            hints.push_back(hintOfNotReached(trouble, at));
        } else if (auto hint =
                       rules ? diagnosis::hintOfSilence(*rules, trouble.node,
                                                        secondsBetween(trouble.since, at), trouble.usual)
                             : std::nullopt) {
            hints.push_back(std::move(*hint));
        }
    }
    return hints;
}

}  // namespace dlperf::run
