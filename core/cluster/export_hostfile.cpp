// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/export_hostfile.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

// What launchers would not know of this node; a name that is its host says nothing new.
std::string remarkOf(const Node& node) {
    std::vector<std::string> parts;
    if (node.name != node.host) {
        parts.push_back(node.name);
    }
    if (node.port) {
        parts.push_back(fmt::format("port {}", *node.port));
    }
    if (!node.identityFile.empty()) {
        parts.push_back("key " + firstLine(node.identityFile));
    }
    if (!node.container.empty()) {
        parts.push_back("in a container");
    }
    return parts.empty() ? "" : "  # " + join(parts, ", ");
}

}  // namespace

std::string hostfileOf(const Cluster& cluster) {
    std::string text = fmt::format("# {}\n", firstLine(cluster.name));
    for (const Node& node : cluster.nodes) {
        text += node.user.empty() ? "" : node.user + "@";
        text += node.local ? "localhost" : node.host;
        text += node.devices ? fmt::format(" slots={}", *node.devices) : "";
        text += remarkOf(node) + "\n";
    }
    return text;
}

}  // namespace dlperf::cluster
