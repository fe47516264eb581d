// SPDX-License-Identifier: Apache-2.0
// Files that a run needs on a node and that are not there: the bundled worker, a recipe's folder, wheels.
// What is there and whole is not sent again.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/node_run.h"

namespace dlperf::run {

struct NodeFile {
    std::string name;  // on the node, without a folder
    unsigned mode = 0;
    std::string bytes;
    std::string sha256;
};

[[nodiscard]] NodeFile nodeFile(std::string name, std::string bytes, unsigned mode);

// The folder on the node, absolute, in which the files stand afterwards: `place` below its work folder. Many
// may do it at once, on nodes that share a disk too. `what` names them in errors, which are of kind Work.
[[nodiscard]] Result<std::string> bringFiles(const NodeRun& node, const std::string& place,
                                             const std::vector<NodeFile>& files, const std::string& what,
                                             const std::stop_token& stop);

// The same for one file of this machine, of any size: it is sent in parts, and one that was broken off goes
// on where it stopped. Publishes the bytes that are there and all.
[[nodiscard]] Result<void> bringLargeFile(const NodeRun& node, const std::string& place,
                                          const std::filesystem::path& file,
                                          const std::function<void(std::uintmax_t, std::uintmax_t)>& publish,
                                          const std::stop_token& stop);

}  // namespace dlperf::run
