// SPDX-License-Identifier: Apache-2.0
// Where the program's own files stand: in a build tree, whose share/ leads to the sources, as after an
// installation.
#pragma once

#include <filesystem>

#include "core/base/error.h"

namespace dlperf {

// The folder of the running executable.
[[nodiscard]] std::filesystem::path programFolder();

// The folder that holds recipes/, plans/, vocabulary.json: $DLPERF_RESOURCES, else
// <prefix>/share/dlperf-dashboard. An Input error when it is not there.
[[nodiscard]] Result<std::filesystem::path> resourceFolder();

// Where dlperf-worker stands: <prefix>/libexec/dlperf-dashboard, else beside the running program.
[[nodiscard]] std::filesystem::path workerFolder();

}  // namespace dlperf
