// SPDX-License-Identifier: Apache-2.0
// `dlperf show` and `dlperf logs` of a run that was imported: no runner ever knew it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::app {

// That of the id which reports give; nothing for any other.
[[nodiscard]] std::optional<RunResult> importedRun(const store::Workspace& workspace, const std::string& id);
[[nodiscard]] std::filesystem::path importedLog(const store::Workspace& workspace, const RunResult& run,
                                                int rank);
[[nodiscard]] Result<void> showImported(const store::Workspace& workspace, const RunResult& run, bool asJson);

}  // namespace dlperf::app
