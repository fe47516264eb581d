// SPDX-License-Identifier: Apache-2.0
// What the baselines of a cluster's hardware (links, computing, reading) have in common: their files, and who
// is slow beside the others.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/case.h"

namespace dlperf::cluster {

inline constexpr std::size_t mostBaselineItems = 1U << 20U;  // of one list

struct SlowNode {
    std::string node;
    std::string sentence;  // which also holds the node's name
    // Of computing: 0.08 takes 8 % longer than the others. The median over the repetitions, and in each.
    double slower = 0;
    std::vector<double> slowerInEach{};
};

// Beside each value the median of the others that are known; 0 without any. The better of both in the middle
// where their number is even: of three nodes a slow one has two of three pairs. Takes n log n, for the pairs
// of many nodes.
[[nodiscard]] std::vector<double> mediansOfOthers(const std::vector<std::optional<double>>& values,
                                                  bool moreIsBetter);

// Three digits, or more where a number has more before its point: "0.0121", "9.31", "1234".
[[nodiscard]] std::string shortFigure(double value);

// "measured"; a missing or unreadable one is an error of the reader.
[[nodiscard]] TimePoint readMeasured(JsonReader& reader);
[[nodiscard]] Result<void> writeBaseline(const std::filesystem::path& file, const Json& baseline);

// The items of a list, each read by a reader of its own.
template <class Item, class Read>
std::vector<Item> readItems(JsonReader& reader, const char* field, const Read& read) {
    std::vector<Item> items;
    const Json& list = reader.member(field);
    if (!list.is_null() && (!list.is_array() || list.size() > mostBaselineItems)) {
        reader.addError(fmt::format("\"{}\" must be a list", field));
        return items;
    }
    for (const Json& json : list) {
        JsonReader item(json, field);
        items.push_back(read(item));
        if (item.error() != nullptr) {
            reader.addError(fmt::format("\"{}\": {}", field, item.error()->what), item.error()->remedy);
        }
    }
    return items;
}

}  // namespace dlperf::cluster
