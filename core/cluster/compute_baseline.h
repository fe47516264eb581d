// SPDX-License-Identifier: Apache-2.0
// What one device of each node computes: the bundled trainer on 1n1g. W/compute.json, by which a slow node is
// known before a run on many of them is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/cluster/baseline.h"
#include "core/model/case.h"

namespace dlperf::cluster {

struct NodeCompute {
    std::string node;
    std::string backend{};  // "cpu", as the trainer calls it
    int batchSize = 0;
    int imageSize = 0;                  // pixels
    std::vector<double> throughputs{};  // images/s, by repetition
    std::string missing{};              // why there are none, or fewer than of others

    [[nodiscard]] bool isMeasured() const { return !throughputs.empty(); }
};

struct ComputeBaseline {
    TimePoint measured{};
    std::string by{};  // "dlperf-worker, ResNet50"
    std::vector<NodeCompute> nodes{};
};

// images/s: the median of the repetitions.
[[nodiscard]] std::optional<double> throughputOf(const NodeCompute& node);

// "node3 computes 8.1 % slower than the others (p = 0.012)", and by how much: each node held against the
// median of the others in the same repetitions, as analysis::slowerThan() has it; against those alone that
// trained with the same batch and image size.
[[nodiscard]] std::vector<SlowNode> slowNodes(const ComputeBaseline& baseline);

// With the medians and the slow nodes in words, which are not read again.
[[nodiscard]] Json toJson(const ComputeBaseline& baseline);
[[nodiscard]] Result<ComputeBaseline> computeBaselineFromJson(const Json& json, const std::string& where);
[[nodiscard]] Result<ComputeBaseline> readComputeBaseline(const std::filesystem::path& file);

}  // namespace dlperf::cluster
