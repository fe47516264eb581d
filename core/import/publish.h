// SPDX-License-Identifier: Apache-2.0
// What an import wrote gets its place in the workspace: all of it or nothing.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/store/workspace.h"

namespace dlperf::imports {

// Moves W/staging/imported-<name> to W/logs: at once, or log by log into an import of that name that is there
// already, taken back if one of them cannot be moved.
[[nodiscard]] Result<void> publish(const std::filesystem::path& staging, const std::string& name,
                                   const store::Workspace& workspace);

}  // namespace dlperf::imports
