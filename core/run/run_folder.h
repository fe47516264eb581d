// SPDX-License-Identifier: Apache-2.0
// Names of a run in the workspace: its folder while it runs, DLPerf's log name when it is ok, ".attempt<k>"
// when not.
#pragma once

#include <filesystem>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::run {

struct RunFolder {
    int repetition = 0;
    std::filesystem::path path;  // relative to the workspace
};

// The folder of the repetition, or of the next free one when it was taken meanwhile. Nothing is made yet.
[[nodiscard]] RunFolder chooseRunFolder(const store::Workspace& workspace, const Case& benchmarkCase,
                                        int repetition);

// The folder that a run which failed gets in the end: "….attempt<k>" with the next free k.
[[nodiscard]] std::filesystem::path attemptFolder(const store::Workspace& workspace,
                                                  const std::filesystem::path& folder);

// Settles the names; may be repeated. Ok: node 0's log appears under DLPerf's name beside its folder. Else
// the folder is renamed to `settled`.
[[nodiscard]] Result<void> settleNames(const store::Workspace& workspace, const std::filesystem::path& folder,
                                       const std::filesystem::path& settled, Outcome outcome);

}  // namespace dlperf::run
