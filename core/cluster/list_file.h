// SPDX-License-Identifier: Apache-2.0
// The node list of a workspace as a file that more than one window may change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/cluster/cluster.h"

namespace dlperf::cluster {

struct SavedList {
    Cluster list{};       // as the file has it now
    std::string found{};  // what the file held, where others had changed it; else empty
    // Where that stands now, because both changes could not be kept in one list; else empty.
    std::filesystem::path aside{};
};

// Makes the change from `before` to `after` in what the file says by now. Where others have changed it both
// changes are kept, node by node; where that cannot be, or the file cannot be read, it is put aside and
// `after` takes its place.
[[nodiscard]] Result<SavedList> saveChange(const std::filesystem::path& file, const Cluster& before,
                                           const Cluster& after);

// Both changes of `before`; nothing where they are of the same node, or not of nodes alone.
[[nodiscard]] std::optional<Cluster> bothChanges(const Cluster& before, const Cluster& after,
                                                 const Cluster& there);

}  // namespace dlperf::cluster
