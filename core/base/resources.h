// SPDX-License-Identifier: Apache-2.0
// Where the program's own files stand: in a build tree and after an installation alike.
#pragma once

#include <filesystem>

#include "core/base/error.h"

namespace dlperf {

// The folder of the running executable.
[[nodiscard]] std::filesystem::path programFolder();

// The folder that holds recipes/, plans/, vocabulary.json: $DLPERF_RESOURCES, else the source tree's when the
// program runs from its build tree, else <prefix>/share/dlperf-dashboard. An Input error when it is not
// there.
[[nodiscard]] Result<std::filesystem::path> resourceFolder();

// Where dlperf-worker stands: beside the running program, else the build tree's bin/.
[[nodiscard]] std::filesystem::path workerFolder();

}  // namespace dlperf
