// SPDX-License-Identifier: Apache-2.0
// Logs of elsewhere become results of a workspace: they are copied into it with the figure that their
// format's rule gives, so the workspace stays whole when their folder is gone.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/log_analyzer.h"
#include "core/base/error.h"
#include "core/model/vocabulary.h"
#include "core/store/workspace.h"

namespace dlperf::imports {

struct Progress {
    std::size_t done = 0;  // logs copied
    std::size_t of = 0;    // logs in the folders read so far
};

struct Imported {
    std::string name;               // "imported-<name>" stands under W/logs
    std::size_t logs = 0;           // copied
    std::size_t withoutFigure = 0;  // of them
    std::vector<std::string> formats;
    std::vector<analysis::Finding> findings;  // of the analysis; `where` names the log
    std::vector<Error> problems;              // folders that were left out
};

// Reads every folder in DLPerf's layout at or below `folder`. All appear in the workspace at once, or nothing
// does: an Input error without a log that can be placed, a Work error when the disk refuses or `stop` asks.
// A second import of a folder of the same name takes the name "<name>-2".
[[nodiscard]] Result<Imported> importLogs(const std::filesystem::path& folder,
                                          const store::Workspace& workspace, const Vocabulary& vocabulary,
                                          const std::stop_token& stop = {},
                                          const std::function<void(const Progress&)>& onProgress = {});

}  // namespace dlperf::imports
