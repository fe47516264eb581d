// SPDX-License-Identifier: Apache-2.0
// Finding the run folders of a workspace on disk.
#pragma once

#include <map>
#include <string>

#include "core/store/index.h"
#include "core/store/workspace.h"

namespace dlperf::store {

// Every folder under W/logs that holds a run.json, relative to the workspace, with the stamp of that file; a
// run whose run.json is gone has an empty one. Links are not followed, and what cannot be entered is passed
// over.
[[nodiscard]] std::map<std::string, FileStamp> findRunFolders(const Workspace& workspace);

}  // namespace dlperf::store
