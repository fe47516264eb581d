// SPDX-License-Identifier: Apache-2.0
// How fast each node reads its folder of training data, all nodes at the same time, as in training.
// W/data.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/cluster/baseline.h"
#include "core/model/case.h"

namespace dlperf::cluster {

struct NodeReading {
    std::string node{};
    std::string folder{};
    std::int64_t files = 0;  // read to their end
    std::int64_t bytes = 0;
    double seconds = 0;
    std::int64_t cached = 0;   // files of which the page cache held a part, though it was asked to drop them
    std::int64_t unknown = 0;  // files whose file system does not say
    std::optional<double> imagesPerSecond{};  // decoded and cropped, where they are images of classes
    std::string missing{};                    // why there is nothing

    [[nodiscard]] bool isMeasured() const { return bytes > 0 && seconds > 0; }
    [[nodiscard]] bool mayBeCached() const { return cached > 0 || unknown > 0; }
};

struct DataBaseline {
    TimePoint measured{};
    std::string by{};
    std::vector<NodeReading> nodes{};
};

// In MB (10^6 bytes) a second; nothing where it is missing.
[[nodiscard]] std::optional<double> readingSpeedOf(const NodeReading& node);
// Files a second.
[[nodiscard]] std::optional<double> fileRateOf(const NodeReading& node);

// Nodes that read, or prepare images, less than half as fast as the others (their median).
[[nodiscard]] std::vector<SlowNode> slowReaders(const DataBaseline& baseline);

// What `dlperf-worker --measure data` wrote, of a node without a name. A Work error with its last line where
// that is no reading.
[[nodiscard]] Result<NodeReading> parseDataLog(std::string_view log, const std::string& where);

// With the speeds and the slow nodes in words, which are not read again.
[[nodiscard]] Json toJson(const DataBaseline& baseline);
[[nodiscard]] Result<DataBaseline> dataBaselineFromJson(const Json& json, const std::string& where);
[[nodiscard]] Result<DataBaseline> readDataBaseline(const std::filesystem::path& file);

}  // namespace dlperf::cluster
