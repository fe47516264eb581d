// SPDX-License-Identifier: Apache-2.0
// What a run was made of on each node: kernel, driver, CUDA, NCCL, the Python packages, the container's
// image, and of each checkout that an option of the recipe names its commit and what was changed since.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace dlperf::run {

// By node: {"taken": "2026-11-21T09:15:02Z", "kernel": …, "packages": […], "image": {"name": …, "id": …,
// "digests": […]}, "repositories": [{"option": …, "path": …, "commit": …, "dirty": …, "changes": …, "diff":
// …}]}
using NodeVersions = std::map<std::string, Json>;

// Of one node, from what versions.sh printed; an empty object if that was nothing.
[[nodiscard]] Json versionsToJson(std::string_view lines);

// versions.json in the run's folder.
[[nodiscard]] Result<void> writeVersions(const std::filesystem::path& runFolder,
                                         const NodeVersions& versions);
// An Input error when there is none or it is no JSON; what is no node's is passed over.
[[nodiscard]] Result<NodeVersions> readVersions(const std::filesystem::path& runFolder);

}  // namespace dlperf::run
