// SPDX-License-Identifier: Apache-2.0
// What a run was made of on one node: kernel, driver, CUDA, NCCL, the Python packages, and of each checkout
// that an option of the recipe names its commit and what was changed since.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"

namespace dlperf::run {

// The file versions.sh: "key=value" lines. The list of packages takes seconds, so it is kept in the
// campaign's folder on the node until the packages change.
[[nodiscard]] const std::string& versionsText();

// {"kernel": …, "packages": […], "repositories": [{"option": …, "path": …, "commit": …, "dirty": …, "diff":
// …}]}
[[nodiscard]] Json versionsToJson(std::string_view lines);

}  // namespace dlperf::run
