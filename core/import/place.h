// SPDX-License-Identifier: Apache-2.0
// Where the logs of an import will lie, in DLPerf's layout:
//
//   W/logs/imported-<name>/<format>[+<feature>…]/b128_fp32/2n8g/r50_b128_fp32_1.log     a log of a throughput
//   W/logs/imported-<name>/<format>/<its own name>.log, .mem                            a log of a latency
//
// Of logs that several campaigns recorded each campaign has a folder of its own, imported-<name>/<campaign>/…
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/import/proposal.h"
#include "core/store/workspace.h"

namespace dlperf::imports {

// Gives every new log its place and finds the duplicates, in the workspace and among the logs themselves. A
// name of DLPerf's kind that tells the truth is kept; a log whose name is taken gets the next free
// repetition. Can be called again after corrections. A Work error when `stop` asks.
[[nodiscard]] Result<void> place(std::vector<Proposal>& proposals, const store::Workspace& workspace,
                                 const std::string& name, const Vocabulary& vocabulary,
                                 const std::stop_token& stop);

// Logs that are kept, but that another log of the same repetition replaces when DLPerf folds:
// r50_b128_fp32_4_6 gives way to r50_b128_fp32_4. Which, and by which, as indices into `proposals`; only
// those take part that `counts` lets, for a log without a figure replaces none.
struct ReplacedLog {
    std::size_t log = 0;
    std::size_t by = 0;
};
[[nodiscard]] std::vector<ReplacedLog> replacedLogs(const std::vector<Proposal>& proposals,
                                                    const std::function<bool(std::size_t)>& counts);

// The campaign of the import's result: the import's name, or "<name>/<campaign>" where it has logs of
// several.
[[nodiscard]] std::string campaignOf(const std::string& name, const Proposal& proposal);

// "imported-<name>", the folder below W/logs.
[[nodiscard]] std::string importFolder(const std::string& name);

}  // namespace dlperf::imports
