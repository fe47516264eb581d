// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/address.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace dlperf::cluster {
namespace {

std::string machineName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

std::string addressOf(const Node& node, bool allLocal) {
    if (!node.address.empty()) {
        return node.address;
    }
    if (!node.local) {
        return node.host;
    }
    return allLocal ? "127.0.0.1" : machineName();
}

}  // namespace

std::vector<std::string> addressesOf(const std::vector<const Node*>& nodes) {
    const bool allLocal = std::ranges::all_of(nodes, [](const Node* node) { return node->local; });
    std::vector<std::string> addresses;
    addresses.reserve(nodes.size());
    for (const Node* node : nodes) {
        addresses.push_back(addressOf(*node, allLocal));
    }
    return addresses;
}

}  // namespace dlperf::cluster
