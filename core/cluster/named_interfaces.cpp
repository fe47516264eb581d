// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/named_interfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/subnet.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

// Without those that name a link, and no network.
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
    return addresses;
}

// A node without `ip` does not.
bool tellsAddresses(const NodeFacts& facts) {
    return std::ranges::any_of(facts.interfaces,
                               [](const InterfaceFacts& one) { return !one.addresses.empty(); });
}

// The connections over the interface that ended in one of these states.
std::vector<const Connection*> connectionsOver(const std::string& interface,
                                               const std::vector<NodeLinks>& links,
                                               const std::set<Connection::State>& states) {
    std::vector<const Connection*> found;
    for (const NodeLinks& node : links) {
        const auto over = node.over.find(interface);
        if (over == node.over.end()) {
            continue;
        }
        for (const Connection& link : over->second) {
            if (states.contains(link.state)) {
                found.push_back(&link);
            }
        }
    }
    return found;
}

Check unusable(const std::string& interface, const std::string& summary) {
    Check check =
        failed("Way over " + interface, summary,
               "The plan names this interface as DLPERF_INTERFACE: the trainers would wait for each "
               "other in vain.",
               "Look at its cable, its VLAN and its addresses, or leave it out of the plan",
               fmt::format("ip addr show dev {}", shellQuote(interface)));
    check.stopsRun = true;
    return check;
}

}  // namespace

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

Check checkNamedInterface(const std::string& interface, const std::vector<NodeAnswer>& nodes,
                          const std::vector<NodeLinks>& links) {
    std::vector<std::string> lacking;
    for (const NodeAnswer& node : nodes) {
        if (node.facts && tellsAddresses(*node.facts) && addressesOn(interface, *node.facts).empty()) {
            lacking.push_back(node.node.name);
        }
    }
    if (!lacking.empty()) {
        return unusable(interface, fmt::format("is not up with an address on {}", named(lacking)));
    }
    using State = Connection::State;
    if (const auto bad = connectionsOver(interface, links, {State::Failed, State::WrongNode}); !bad.empty()) {
        const Connection& link = *bad.front();
        return unusable(interface, fmt::format("does not lead from {} to {} ({}): {}", link.from, link.to,
                                               link.address, link.said));
    }
    const auto reached = connectionsOver(interface, links, {State::Reached});
    if (reached.empty()) {
        return warning("Way over " + interface, "could not be tried",
                       "It needs python3, perl or socat to listen on a port, and bash to connect.",
                       "Install one of them", "sudo apt-get install python3-minimal");
    }
    const auto other = std::ranges::find_if(reached, [&](const Connection* link) {
        return !link->interface.empty() && link->interface != "lo" && link->interface != interface;
    });
    if (other == reached.end()) {
        return passed("Way over " + interface, fmt::format("{} connections made", reached.size()));
    }
    const Connection& link = **other;
    return warning("Way over " + interface,
                   fmt::format("the way from {} to {} ({}) begins at {}", link.from, link.to, link.address,
                               link.interface),
                   "Where two interfaces have addresses of one network, the kernel sends by one of them: the "
                   "other one would not be measured.",
                   "Give each interface a network of its own",
                   fmt::format("ip route get {}", shellQuote(link.address)));
}

}  // namespace dlperf::cluster
