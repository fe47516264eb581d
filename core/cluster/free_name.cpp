// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/free_name.h"

#include <algorithm>

#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t longestName = 56;  // with room for a number

// What may stand in the name of a node; everything else becomes a dash.
std::string plain(std::string_view host) {
    std::string name;
    for (const char c : host.substr(0, longestName)) {
        name += isPlainName(std::string("n") + c) ? c : '-';
    }
    return isPlainName(name) ? name : "n" + name;
}

}  // namespace

std::string freeName(std::string_view host, const std::vector<Node>& nodes) {
    const std::string name = plain(host);
    std::string free = name;
    for (int number = 2; std::ranges::find(nodes, free, &Node::name) != nodes.end(); ++number) {
        free = name + "-" + std::to_string(number);
    }
    return free;
}

}  // namespace dlperf::cluster
