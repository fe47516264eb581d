// SPDX-License-Identifier: Apache-2.0
// What an import wrote gets its place in the workspace: all of it or nothing.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/import/stage.h"
#include "core/store/workspace.h"

namespace dlperf::imports {

// Imports of one workspace save one after the other, so that each sees what the one before it saved: returns
// once this one may, until the descriptor goes. Where the file system has no locks they do not wait, and one
// of two may fail. Tells once that it waits. A Work error when `stop` asks.
[[nodiscard]] Result<Descriptor> waitForTurn(const store::Workspace& workspace, const std::stop_token& stop,
                                             const OnProgress& onProgress);

// Moves W/staging/imported-<name> to W/logs: at once, or log by log into an import of that name that is there
// already, taken back if one of them cannot be moved.
[[nodiscard]] Result<void> publish(const std::filesystem::path& staging, const std::string& name,
                                   const store::Workspace& workspace);

}  // namespace dlperf::imports
