// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/base/mapped.h"
#include "core/base/subnet.h"
#include "core/base/text.h"
#include "core/tuning/experiments.h"

namespace dlperf::tuning {
namespace {

constexpr int unknownSpeed = std::numeric_limits<int>::max();  // a bridge, a tunnel: it may be fast

struct Subnet {
    std::set<std::string> nodes{};
    std::map<std::string, std::string> owners{};  // nodes by address
    bool repeats = false;                         // a bridge of each node by itself: docker0, lxcbr0
};

struct Interface {
    std::string name;
    int speed = unknownSpeed;  // Mbit/s, of the slowest node
    std::set<std::string> nodes{};
    std::set<std::string> users{};            // nodes whose way to another one begins here
    std::map<std::string, Subnet> subnets{};  // those of its addresses
    std::set<std::string> addressed{};        // nodes whose addresses are known
};

// Of the lines "interface=NAME MBIT/S[ used][ ADDRESS/PREFIX]…"; earlier versions recorded no addresses.
void note(const report::NodeFact& fact, std::map<std::string, Interface>& interfaces) {
    const auto words = split(fact.value, ' ');
    if (words.size() < 2) {
        return;
    }
    Interface& one = interfaces[std::string(words[0])];
    one.name = words[0];
    const int speed = toInt(words[1]).value_or(-1);
    one.speed = std::min(one.speed, speed > 0 ? speed : unknownSpeed);
    one.nodes.insert(fact.node);
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (words[i] == "used") {
            one.users.insert(fact.node);
        } else if (const auto subnet = subnetOf(words[i])) {
            Subnet& in = one.subnets[*subnet];
            in.nodes.insert(fact.node);
            in.repeats =
                in.repeats || in.owners.emplace(std::string(words[i]), fact.node).first->second != fact.node;
            one.addressed.insert(fact.node);
        }
    }
}

bool isOneNetwork(const Interface& one) {
    return std::ranges::any_of(one.subnets, [&](const auto& subnet) {
        return subnet.second.nodes == one.nodes && !subnet.second.repeats;
    });
}

bool mayBeOneNetwork(const Interface& one) {
    return isOneNetwork(one) || one.addressed != one.nodes;
}

}  // namespace

std::vector<NetworkInterface> interfacesOf(const std::vector<report::NodeFact>& facts) {
    std::map<std::string, Interface> interfaces;
    std::set<std::string> nodes;
    for (const report::NodeFact& fact : facts) {
        nodes.insert(fact.node);
        if (fact.key == "interface") {
            note(fact, interfaces);
        }
    }
    const auto used = std::ranges::find_if(
        interfaces, [&](const auto& entry) { return !nodes.empty() && entry.second.users == nodes; });
    if (used == interfaces.end()) {
        return {};
    }
    std::vector<Interface> list;
    for (const auto& [name, one] : interfaces) {
        const bool isSlower = used->second.speed != unknownSpeed && one.speed < used->second.speed;
        if (one.nodes == nodes && one.users.empty() && !isSlower && mayBeOneNetwork(one)) {
            list.push_back(one);
        }
    }
    std::ranges::stable_sort(list, std::ranges::greater{}, &Interface::speed);
    std::ranges::stable_sort(list, std::ranges::greater{}, isOneNetwork);
    list.insert(list.begin(), used->second);
    return mapped(list, [](const Interface& one) { return NetworkInterface{one.name, isOneNetwork(one)}; });
}

}  // namespace dlperf::tuning
