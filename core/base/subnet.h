// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dlperf {

// The IPv4 or IPv6 network of an interface's address, in one spelling: "10.11.0.0/24" of "10.11.0.2/24". Two
// addresses with the same one need no router between them. Nothing where that is no address with a prefix.
[[nodiscard]] std::optional<std::string> subnetOf(std::string_view address);

}  // namespace dlperf
