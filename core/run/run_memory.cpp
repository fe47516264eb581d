// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_memory.h"

namespace dlperf::run {
namespace {

std::optional<std::size_t> numberOf(const Json& event, const char* field) {
    const auto found = event.find(field);
    return found != event.end() && found->is_number_unsigned() ? std::optional(found->get<std::size_t>())
                                                               : std::nullopt;
}

void recallNode(RunMemory& memory, const Json& event, const std::string& word) {
    const auto rank = numberOf(event, "node");
    if (!rank) {
        return;
    }
    if (word == "claimed") {
        Claim claim;
        claim.home = textOf(event, "home");
        claim.folder = textOf(event, "folder");
        for (const Json& pid : event.value("gpu", Json::array())) {
            claim.gpuProcesses.push_back(pid.is_string() ? pid.get<std::string>() : std::string());
        }
        memory.claims[*rank] = std::move(claim);
    } else if (word == "started") {
        if (const auto identity = identityFromJson(event.value("identity", Json()))) {
            memory.identities[*rank] = *identity;
        }
    }
}

}  // namespace

RunMemory recall(const std::vector<Json>& events) {
    RunMemory memory;
    for (const Json& event : events) {
        const std::string word = textOf(event, "event");
        const auto time = parseIso8601(textOf(event, "time"));
        memory.began = memory.began ? memory.began : time;
        if (word == "starting" && !memory.starting) {
            memory.starting = time;
        } else if (word == "port") {
            const auto port = numberOf(event, "port");
            memory.masterPort = port ? std::optional(static_cast<int>(*port)) : std::nullopt;
        } else if (word == "stopping" && !memory.end) {
            const auto cause = parseEndCause(textOf(event, "cause"));
            memory.end =
                End{cause.value_or(EndCause::Failed), textOf(event, "reason"), textOf(event, "node")};
        } else {
            recallNode(memory, event, word);
        }
    }
    return memory;
}

Json claimedEvent(std::size_t rank, const Claim& claim) {
    return {{"event", "claimed"},
            {"node", rank},
            {"home", claim.home},
            {"folder", claim.folder},
            {"gpu", claim.gpuProcesses}};
}

Json startedEvent(std::size_t rank, const Identity& identity) {
    return {{"event", "started"}, {"node", rank}, {"identity", toJson(identity)}};
}

Json portEvent(int port) {
    return {{"event", "port"}, {"port", static_cast<unsigned>(port)}};
}

Json startingEvent() {
    return {{"event", "starting"}};
}

Json stoppingEvent(const End& end) {
    Json event{{"event", "stopping"}, {"cause", toString(end.cause)}, {"reason", end.reason}};
    if (!end.node.empty()) {
        event["node"] = end.node;
    }
    return event;
}

}  // namespace dlperf::run
