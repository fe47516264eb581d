// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/named_interfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/mapped.h"
#include "core/base/subnet.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t mostUntried = 20;  // as evidence

bool isIpv6(const std::string& address) {
    return address.find(':') != std::string::npos;
}

// Without those that name a link, and no network; IPv4 first.
std::vector<std::string> addressesOn(const std::string& interface, const NodeFacts& facts) {
    std::vector<std::string> addresses;
    const auto found = std::ranges::find(facts.interfaces, interface, &InterfaceFacts::name);
    if (found == facts.interfaces.end() || !found->up) {
        return addresses;
    }
    for (const std::string_view address : split(found->addresses, ' ')) {
        if (subnetOf(address) && !address.starts_with("fe80:")) {
            addresses.emplace_back(address);
        }
    }
    std::stable_partition(addresses.begin(), addresses.end(),
                          [](const std::string& one) { return !isIpv6(one); });
    return addresses;
}

// A node without `ip` does not.
bool tellsAddresses(const NodeFacts& facts) {
    return std::ranges::any_of(facts.interfaces,
                               [](const InterfaceFacts& one) { return !one.addresses.empty(); });
}

const LinksOver& linksOver(const std::string& interface, const NodeLinks& links) {
    static const LinksOver none;
    const auto over = links.over.find(interface);
    return over == links.over.end() ? none : over->second;
}

// The connections over the interface that ended in one of these states.
std::vector<const Connection*> connectionsOver(const std::string& interface,
                                               const std::vector<NodeLinks>& links,
                                               const std::set<Connection::State>& states) {
    std::vector<const Connection*> found;
    for (const NodeLinks& node : links) {
        for (const Connection& link : linksOver(interface, node).links) {
            if (states.contains(link.state)) {
                found.push_back(&link);
            }
        }
    }
    return found;
}

std::string titleOf(const std::string& interface) {
    return "Way over " + interface;
}

Check unusable(const std::string& interface, const std::string& summary) {
    Check check =
        failed(titleOf(interface), summary,
               "The plan names this interface as DLPERF_INTERFACE: the trainers would wait for each "
               "other in vain.",
               "Look at its cable, its VLAN and its addresses, or leave it out of the plan",
               fmt::format("ip addr show dev {}", shellQuote(interface)));
    check.stopsRun = true;
    return check;
}

// A node, and in its own words why.
struct NodeWords {
    std::string node;
    std::string words;
};

// All of them, and what the first said that said something.
NodeWords together(const std::vector<NodeWords>& nodes) {
    const auto said = std::ranges::find_if(nodes, [](const NodeWords& one) { return !one.words.empty(); });
    return {named(mapped(nodes, &NodeWords::node)), said == nodes.end() ? "" : said->words};
}

std::string lackingOn(const std::vector<NodeWords>& nodes) {
    const auto [names, words] = together(nodes);
    return words.empty() ? fmt::format("is not up with an address on {}", names)
                         : fmt::format("is not up with an address on {}: {}", names, words);
}

std::string untriedOn(const std::vector<NodeWords>& nodes) {
    const auto [names, words] = together(nodes);
    return words.empty() ? fmt::format("could not be tried on {}", names)
                         : fmt::format("could not be tried on {}: {}", names, words);
}

std::string whyNoListener(const NodeLinks& links) {
    if (links.listener.noTool) {
        return "it has none of python3, perl and socat to listen on a port";
    }
    return links.error.what.empty() ? "no port is free" : links.error.what;
}

// Why not all connections with this node were tried over the interface; nothing where they were.
std::optional<std::string> whyUntried(const std::string& interface, const NodeFacts& facts,
                                      const NodeLinks& links) {
    const LinksOver& over = linksOver(interface, links);
    if (!over.error.what.empty() || !tellsAddresses(facts)) {
        return over.error.what;
    }
    if (links.listener.port == 0) {
        return whyNoListener(links);
    }
    const auto untried = std::ranges::find(over.links, Connection::State::Untried, &Connection::state);
    return untried == over.links.end() ? std::nullopt : std::optional(untried->said);
}

// How those connections went that were tried; nothing where none was.
std::optional<Check> checkTried(const std::string& interface, const std::vector<NodeLinks>& links) {
    using State = Connection::State;
    if (const auto bad = connectionsOver(interface, links, {State::Failed, State::WrongNode}); !bad.empty()) {
        const Connection& link = *bad.front();
        return unusable(interface, fmt::format("does not lead from {} to {} ({}): {}", link.from, link.to,
                                               link.address, link.said));
    }
    const auto reached = connectionsOver(interface, links, {State::Reached});
    if (reached.empty()) {
        return std::nullopt;
    }
    const auto other = std::ranges::find_if(reached, [&](const Connection* link) {
        return !link->interface.empty() && link->interface != "lo" && link->interface != interface;
    });
    if (other == reached.end()) {
        return passed(titleOf(interface), fmt::format("{} connections made", reached.size()));
    }
    const Connection& link = **other;
    return warning(titleOf(interface),
                   fmt::format("the way from {} to {} ({}) begins at {}", link.from, link.to, link.address,
                               link.interface),
                   "Where two interfaces have addresses of one network, the kernel sends by one of them: the "
                   "other one would not be measured.",
                   "Give each interface a network of its own",
                   fmt::format("ip route get {}", shellQuote(link.address)));
}

}  // namespace

std::vector<std::string> interfacesIn(std::string_view list) {
    const auto names = wordsIn(list, ",");
    const std::set<std::string> each(names.begin(), names.end());
    return {each.begin(), each.end()};
}

std::optional<std::string> addressOver(const std::string& interface, const NodeFacts& from,
                                       const NodeFacts& to) {
    std::set<std::string> near;
    for (const std::string& address : addressesOn(interface, from)) {
        near.insert(*subnetOf(address));
    }
    const auto addresses = addressesOn(interface, to);
    const auto best = std::ranges::find_if(
        addresses, [&](const std::string& address) { return near.contains(*subnetOf(address)); });
    const auto chosen = best == addresses.end() ? addresses.begin() : best;
    return chosen == addresses.end() ? std::nullopt : std::optional(chosen->substr(0, chosen->find('/')));
}

std::string interfaceScript(const std::string& interface) {
    return "LC_ALL=C ip addr show dev " + shellQuote(interface) + " 2>&1";
}

std::vector<Check> checkNamedInterface(const std::string& interface, const std::vector<NodeAnswer>& nodes,
                                       const std::vector<NodeLinks>& links) {
    std::vector<NodeWords> lacking;
    std::vector<NodeWords> untried;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& [node, facts, error] = nodes[i];
        if (!facts) {
            continue;
        }
        if (tellsAddresses(*facts) && addressesOn(interface, *facts).empty()) {
            lacking.push_back({node.name, linksOver(interface, links[i]).error.what});
        } else if (auto why = whyUntried(interface, *facts, links[i])) {
            untried.push_back({node.name, *std::move(why)});
        }
    }
    std::vector<Check> checks;
    if (!lacking.empty()) {
        checks.push_back(unusable(interface, lackingOn(lacking)));
    } else if (auto tried = checkTried(interface, links)) {
        checks.push_back(*std::move(tried));
    }
    if (!untried.empty()) {
        checks.push_back(warning(
            titleOf(interface), untriedOn(untried),
            "Whether the trainers reach each other over it there shows only when they start.",
            "Let each node have what the check needs: ip, bash, and one of python3, perl and socat",
            "sudo apt-get install iproute2 bash python3-minimal",
            joinSome(mapped(untried, [](const NodeWords& one) { return one.node + ": " + one.words; }),
                     mostUntried, "\n", "\n")));
    }
    return checks;
}

}  // namespace dlperf::cluster
