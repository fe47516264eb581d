// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/named.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::ptrdiff_t mostNamed = 8;

}  // namespace

std::string named(const std::vector<std::string>& nodes) {
    if (std::ssize(nodes) <= mostNamed) {
        return join(nodes, ", ");
    }
    const std::vector<std::string> first(nodes.begin(), nodes.begin() + mostNamed);
    return fmt::format("{} and {} more", join(first, ", "), std::ssize(nodes) - mostNamed);
}

}  // namespace dlperf::cluster
