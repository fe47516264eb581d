// SPDX-License-Identifier: Apache-2.0
// What the names of a log and of the folders above it say about its case.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/case.h"
#include "core/model/vocabulary.h"

namespace dlperf::imports {

struct PathWords {
    std::optional<Topology> topology;
    int devices = 0;         // of all nodes, where a name says no more ("gpu32", "8xA100"); 0 if none does
    int devicesPerNode = 0;  // where a machine's name says it ("XE9680x8H100", "L40Sx8")
    std::string framework;   // vocabulary id, as below; a log's format may say another, which counts
    std::string model;       // vocabulary id; empty if no name says one
    int batchSize = 0;       // samples per device; 0 if no name says it
    std::string precision;
    std::vector<std::string> features;  // vocabulary ids, sorted
    std::optional<int> repetition;
    std::vector<std::string> contradictions;  // one sentence each
};

// `parts` are the names from the outermost folder to the log. Understands DLPerf's layout
// (bz128/4n8g/r50_b128_fp32_1.log), names that hold the topology themselves
// (resnet50_1node_bz128/1n8c_real.log of PyTorch's DataParallel), other people's (tf_gpu8_amp_bs256.txt,
// N4C32_log, 8xH100_80GB), and any mixture. What stands nearer to the log counts. The first `outer` names are
// of folders around what the user named: one that is no more than "n2" or "c4" there may be anybody's.
[[nodiscard]] PathWords readPath(const std::vector<std::string>& parts, const Vocabulary& vocabulary,
                                 std::size_t outer = 0);

// The precisions that names of logs and folders are searched for.
[[nodiscard]] std::span<const std::string_view> knownPrecisions();

}  // namespace dlperf::imports
