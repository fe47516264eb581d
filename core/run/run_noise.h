// SPDX-License-Identifier: Apache-2.0
// What else went on at the nodes of a run that ended: their samples summed up for the run's record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/node_noise.h"

namespace dlperf::run {

// Seconds since 1970 by the node's clock, both included.
struct SampleWindow {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

// Of the telemetry.csv of a node. Without a window, or where none of the looks at other processes and GPUs is
// within it, over all of the file; nothing where the file has none at all, as those of earlier versions.
[[nodiscard]] std::optional<NodeNoise> readNoise(const std::filesystem::path& samples,
                                                 const std::string& node,
                                                 const std::optional<SampleWindow>& window);

// What is worth a word at a run by itself, the worst of each kind.
[[nodiscard]] std::vector<RunFinding> findingsOf(const std::vector<NodeNoise>& noise);

}  // namespace dlperf::run
