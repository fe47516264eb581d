// SPDX-License-Identifier: Apache-2.0
// Brings the bundled worker, with its CUDA backend where it was built with one, to a node that has not this
// very one, and finds out whether it starts there. Their libraries are not brought along: they need a C
// library at least as new as that of the machine that they come from, where the node's own packages fit it;
// what is missing is named.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/node_files.h"
#include "core/run/node_run.h"
#include "core/run/node_scripts.h"

namespace dlperf::run {

// A worker of this machine, to be copied: the program and, if it stands beside it, its CUDA backend. Nodes
// without a GPU get that too: it is small, and whether there is a GPU may depend on the container or setup.
struct WorkerFiles {
    std::vector<NodeFile> files;
    std::string machine;  // that it is built for, as machineOf() says
};

// An Input error when there is none.
[[nodiscard]] Result<WorkerFiles> readWorker(const std::filesystem::path& path);

// The folder on the node, absolute, in which the worker stands afterwards. Nothing is sent that is there.
// Many may do it at once, on nodes that share a disk too.
[[nodiscard]] Result<std::string> bringWorker(const NodeRun& node, const WorkerFiles& worker,
                                              const std::stop_token& stop);

// What the launch asks for: by the recipe's option "backend" and by precisions that only GPUs have.
[[nodiscard]] CudaUse cudaUseOf(const launch::NodeLaunch& launch);

// Starts it for a moment in the environment of a run that was placed: an error of kind Work says what the
// machine lacks. `machine`: that the worker is built for; empty if that is not known.
[[nodiscard]] Result<void> tryWorker(const NodeRun& node, const std::string& machine,
                                     const std::stop_token& stop);

}  // namespace dlperf::run
