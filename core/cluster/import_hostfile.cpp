// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/import_hostfile.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "core/cluster/free_name.h"

namespace dlperf::cluster {
namespace {

constexpr int mostSlots = 1024;

std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    line = line.substr(0, line.find('#'));
    while (!(line = trim(line)).empty()) {
        const std::size_t end = std::min(line.find_first_of(" \t,"), line.size());
        if (end > 0) {
            words.push_back(line.substr(0, end));
        }
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

struct Entry {
    std::string user;
    std::string host;
    std::optional<int> slots;
};

// Nothing for a number of slots that is none.
std::optional<Entry> entryOf(const std::vector<std::string_view>& words) {
    Entry entry;
    std::string_view host = words.front();
    std::string_view slots;
    if (const auto at = host.rfind('@'); at != std::string_view::npos) {
        entry.user = host.substr(0, at);
        host.remove_prefix(at + 1);
    }
    if (std::count(host.begin(), host.end(), ':') == 1) {  // more of them are an IPv6 address
        slots = host.substr(host.find(':') + 1);
        host = host.substr(0, host.find(':'));
    }
    for (const std::string_view word : words) {
        if (word.starts_with("slots=")) {
            slots = word.substr(6);
        }
    }
    entry.host = host;
    if (!slots.empty()) {
        entry.slots = toInt(slots);
        if (!entry.slots || *entry.slots < 1 || *entry.slots > mostSlots) {
            return std::nullopt;
        }
    }
    return entry;
}

void add(Cluster& cluster, const Entry& entry) {
    const auto same = std::find_if(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
        return node.host == entry.host && node.user == entry.user;
    });
    if (same == cluster.nodes.end()) {
        Node node;
        node.name = freeName(entry.host, cluster.nodes);
        node.host = entry.host;
        node.user = entry.user;
        node.devices = entry.slots;
        cluster.nodes.push_back(std::move(node));
    } else if (entry.slots) {
        same->devices = std::min(mostSlots, same->devices.value_or(0) + *entry.slots);
    }
}

}  // namespace

Result<Cluster> clusterFromHostfile(std::string_view text, const std::string& where) {
    Cluster cluster{"hosts", {}};
    int number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        const auto words = wordsOf(line);
        if (words.empty()) {
            continue;
        }
        const auto entry = entryOf(words);
        if (!entry || entry->host.empty()) {
            return fail(fmt::format("line {} names no host with its slots: {}", number, firstLine(line)),
                        where, "Write a host a line: \"node1 slots=8\".");
        }
        add(cluster, *entry);
    }
    return clusterFromJson(toJson(cluster), where);
}

}  // namespace dlperf::cluster
