// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_alert.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/base/json.h"
#include "core/model/node_name.h"

namespace dlperf::run {
namespace {

constexpr const char* notReached = "not-reached";
constexpr const char* silent = "silent";

double secondsBetween(TimePoint from, TimePoint to) {
    return std::chrono::duration<double>(to - from).count();
}

diagnosis::Hint hintOfNotReached(const NodeAlert& alert, TimePoint at) {
    diagnosis::Hint hint;
    hint.rule = notReached;
    hint.severity = diagnosis::Severity::Warn;
    hint.node = alert.node;
    hint.what = fmt::format("{} has not been reached for {}.", nodeTitle(alert.node),
                            diagnosis::spanOf(secondsBetween(alert.since, at)));
    hint.why = alert.why.empty() ? std::string() : alert.why + ".";
    hint.remedy =
        alert.othersAnswer
            ? "Look at the machine. Others answer, so it is given up, and the run ended, once the time of "
              "--lost-after is over."
            : "Look at the machine and at the way there. No other node answers, so it may be our own "
              "network: its trainer goes on without us, and the run waits until its time is over.";
    return hint;
}

}  // namespace

void follow(std::vector<Disturbance>& disturbances, const std::vector<NodeAlert>& alerts, TimePoint at) {
    const auto isOf = [](const NodeAlert& alert) {
        return [&alert](const Disturbance& one) { return !one.until && one.alert.isSameAs(alert); };
    };
    for (Disturbance& one : disturbances) {
        const auto same = [&](const NodeAlert& alert) { return alert.isSameAs(one.alert); };
        if (!one.until && std::ranges::none_of(alerts, same)) {
            one.until = at;
        }
    }
    for (const NodeAlert& alert : alerts) {
        if (std::ranges::none_of(disturbances, isOf(alert))) {
            disturbances.push_back({alert});
        }
    }
}

Json toJson(const std::vector<Disturbance>& disturbances) {
    Json list = Json::array();
    for (const Disturbance& one : disturbances) {
        list.push_back({{"kind", one.alert.kind == NodeAlert::Kind::Silent ? silent : notReached},
                        {"node", one.alert.node},
                        {"since", toIso8601(one.alert.since)},
                        {"until", one.until ? Json(toIso8601(*one.until)) : Json()},
                        {"why", one.alert.why}});
    }
    return list;
}

std::vector<RunFinding> findingsOf(const std::vector<Disturbance>& disturbances) {
    std::vector<RunFinding> findings;
    for (const Disturbance& one : disturbances) {
        if (one.until) {
            const bool isSilent = one.alert.kind == NodeAlert::Kind::Silent;
            const auto seconds =
                std::chrono::ceil<std::chrono::seconds>(*one.until - one.alert.since).count();
            findings.push_back({"disturbed",
                                fmt::format("the node {} for {} s",
                                            isSilent ? "printed nothing" : "was not reached", seconds),
                                nodeText(one.alert.node)});
        }
    }
    return findings;
}

Json toJson(const std::vector<NodeAlert>& alerts) {
    Json list = Json::array();
    for (const NodeAlert& alert : alerts) {
        list.push_back({{"kind", alert.kind == NodeAlert::Kind::Silent ? silent : notReached},
                        {"node", alert.node},
                        {"since", toIso8601(alert.since)},
                        {"why", alert.why},
                        {"others_answer", alert.othersAnswer},
                        {"usual_s", alert.usual}});
    }
    return list;
}

std::vector<NodeAlert> alertsFromJson(const Json& json) {
    std::vector<NodeAlert> alerts;
    if (!json.is_array()) {
        return alerts;
    }
    for (const Json& item : json) {
        const std::string kind = textOf(item, "kind");
        const auto since = parseIso8601(textOf(item, "since"));
        if (!since || (kind != silent && kind != notReached)) {
            continue;
        }
        NodeAlert alert;
        alert.kind = kind == silent ? NodeAlert::Kind::Silent : NodeAlert::Kind::NotReached;
        alert.node = textOf(item, "node");
        alert.since = *since;
        alert.why = textOf(item, "why");
        const auto others = item.find("others_answer");
        alert.othersAnswer = others != item.end() && others->is_boolean() && others->get<bool>();
        const auto usual = item.find("usual_s");
        alert.usual = usual != item.end() && usual->is_number() ? usual->get<double>() : 0;
        alerts.push_back(std::move(alert));
    }
    return alerts;
}

std::vector<diagnosis::Hint> hintsOf(const diagnosis::Rules& rules, const std::vector<NodeAlert>& alerts,
                                     TimePoint at) {
    std::vector<diagnosis::Hint> hints;
    for (const NodeAlert& alert : alerts) {
        if (alert.kind == NodeAlert::Kind::NotReached) {
            hints.push_back(hintOfNotReached(alert, at));
        } else if (auto hint = rules ? diagnosis::hintOfSilence(*rules, alert.node,
                                                                secondsBetween(alert.since, at), alert.usual)
                                     : std::nullopt) {
            hints.push_back(std::move(*hint));
        }
    }
    return hints;
}

}  // namespace dlperf::run
