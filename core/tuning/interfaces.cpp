// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/tuning/experiments.h"

namespace dlperf::tuning {
namespace {

constexpr int unknownSpeed = std::numeric_limits<int>::max();  // a bridge, a tunnel: it may be fast

struct Interface {
    std::string name;
    int speed = unknownSpeed;  // Mbit/s, of the slowest node
    std::set<std::string> nodes{};
    std::set<std::string> users{};  // nodes whose way to another one begins here
};

// Of the lines "interface=NAME MBIT/S[ used]".
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
    if (words.size() > 2 && words[2] == "used") {
        one.users.insert(fact.node);
    }
}

}  // namespace

std::vector<std::string> interfacesOf(const std::vector<report::NodeFact>& facts) {
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
        if (one.nodes == nodes && one.users.empty() && !isSlower) {
            list.push_back(one);
        }
    }
    std::ranges::stable_sort(list, std::ranges::greater{}, &Interface::speed);
    list.insert(list.begin(), used->second);
    return mapped(list, &Interface::name);
}

}  // namespace dlperf::tuning
