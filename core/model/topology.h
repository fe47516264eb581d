// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace dlperf {

// Nodes and devices per node, written 2n8g. Both are at least 1.
struct Topology {
    int nodes = 1;
    int devices = 1;  // per node

    int worldSize() const { return nodes * devices; }
    // By world size first, so that tables run from small to large; then by nodes.
    friend std::strong_ordering operator<=>(const Topology& a, const Topology& b);
    friend bool operator==(const Topology&, const Topology&) = default;
};

// "4n8g"; any <n>n<g>g with n, g from 1 to 65536, n * g up to 2^30 and no leading zeros ("10n16g" too; letter
// case as written).
[[nodiscard]] std::optional<Topology> parseTopology(std::string_view text);
[[nodiscard]] std::string toString(const Topology& topology);

}  // namespace dlperf
