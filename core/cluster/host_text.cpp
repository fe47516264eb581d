// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/host_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr int highestPort = 65'535;

bool isPlainIpv6(std::string_view host) {
    return std::count(host.begin(), host.end(), ':') > 1 && !host.starts_with('[');
}

std::optional<int> portOf(std::string_view text) {
    int port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && port > 0 && port <= highestPort ? std::optional(port) : std::nullopt;
}

}  // namespace

std::string hostText(const Node& node) {
    if (node.local) {
        return {};
    }
    std::string text = node.user.empty() ? "" : node.user + "@";
    if (!node.port) {
        return text + node.host;
    }
    const std::string host = isPlainIpv6(node.host) ? "[" + node.host + "]" : node.host;
    return text + fmt::format("{}:{}", host, *node.port);
}

Result<Node> withHost(Node node, std::string_view text) {
    std::string_view rest = trim(text);
    node.local = rest.empty();
    node.user.clear();
    node.port.reset();
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        node.user = rest.substr(0, at);
        rest.remove_prefix(at + 1);
    }
    if (const auto colon = rest.rfind(':');
        colon != std::string_view::npos && !isPlainIpv6(rest) && !rest.ends_with(']')) {
        node.port = portOf(rest.substr(colon + 1));
        if (!node.port) {
            return fail(fmt::format("\"{}\" is no port", rest.substr(colon + 1)), "Host",
                        "Write a number from 1 to 65535 behind the colon, or no colon.");
        }
        rest = rest.substr(0, colon);
    }
    if (rest.starts_with('[') && rest.ends_with(']')) {
        rest = rest.substr(1, rest.size() - 2);
    }
    node.host = rest;
    if (!node.local && node.host.empty()) {
        return fail(fmt::format("\"{}\" names no host", trim(text)), "Host",
                    "Write a name of your SSH configuration, or user@host:port.");
    }
    return node;
}

}  // namespace dlperf::cluster
