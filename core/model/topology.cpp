// SPDX-License-Identifier: Apache-2.0
#include "core/model/topology.h"

#include <fmt/format.h>

#include <tuple>

#include "core/base/text.h"

namespace dlperf {
namespace {

std::optional<int> count(std::string_view digits) {
    if (digits.empty() || digits.front() < '1' || digits.front() > '9') {
        return std::nullopt;
    }
    const auto value = toInt(digits);
    return value && *value <= 65536 ? value : std::nullopt;
}

}  // namespace

std::strong_ordering operator<=>(const Topology& a, const Topology& b) {
    return std::make_tuple(static_cast<long>(a.nodes) * a.devices, a.nodes) <=>
           std::make_tuple(static_cast<long>(b.nodes) * b.devices, b.nodes);
}

std::optional<Topology> parseTopology(std::string_view text) {
    const std::size_t middle = text.find('n');
    if (middle == std::string_view::npos || !text.ends_with('g')) {
        return std::nullopt;
    }
    const auto nodes = count(text.substr(0, middle));
    const auto devices = count(text.substr(middle + 1, text.size() - middle - 2));
    constexpr long largestWorld = 1L << 30U;  // so that a world size is an int
    if (!nodes || !devices || static_cast<long>(*nodes) * *devices > largestWorld) {
        return std::nullopt;
    }
    return Topology{*nodes, *devices};
}

std::string toString(const Topology& topology) {
    return fmt::format("{}n{}g", topology.nodes, topology.devices);
}

}  // namespace dlperf
