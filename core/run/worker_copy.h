// SPDX-License-Identifier: Apache-2.0
// Brings the bundled worker to a node that has not this very one, and finds out whether it starts there. Its
// libraries are not brought along: they need a C library at least as new as that of the machine that they
// come from, where the node's own packages fit it; what is missing is named.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/run/node_run.h"

namespace dlperf::run {

// A worker of this machine, to be copied.
struct WorkerFile {
    std::string bytes;
    std::string sha256;
};

// An Input error when there is none.
[[nodiscard]] Result<WorkerFile> readWorker(const std::filesystem::path& path);

// The folder on the node, absolute, in which the worker stands afterwards. Nothing is sent if it is there.
// Many may do it at once, on nodes that share a disk too.
[[nodiscard]] Result<std::string> bringWorker(const NodeRun& node, const WorkerFile& worker,
                                              const std::stop_token& stop);

// Starts it for a moment in the environment of a run that was placed: an error of kind Work says what the
// machine lacks.
[[nodiscard]] Result<void> tryWorker(const NodeRun& node, const WorkerFile& worker,
                                     const std::stop_token& stop);

}  // namespace dlperf::run
