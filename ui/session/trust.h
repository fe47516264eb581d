// SPDX-License-Identifier: Apache-2.0
// Plans, clusters and recipes are code that runs on every node: what comes from outside is shown and asked
// about before its first use. What was read counts, not what the file says later.
#pragma once

#include <string>

namespace dlperf::ui {

[[nodiscard]] bool isTrusted(const std::string& bytes);
void trust(const std::string& bytes);

}  // namespace dlperf::ui
