// SPDX-License-Identifier: Apache-2.0
// What people read for a node, in tables and sentences.
#pragma once

#include <string>

namespace dlperf {

// "a", or "this machine" for the one that is called "this" where no node list is given.
[[nodiscard]] std::string nodeTitle(const std::string& node);
// The same where it says of itself what it is: "node a", "this machine".
[[nodiscard]] std::string nodeText(const std::string& node);

}  // namespace dlperf
