// SPDX-License-Identifier: Apache-2.0
// What series are called: as short as can be while no two have the same name, and never silent about another
// model, precision or batch size than most have, or about a setting that not all share.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/comparison.h"

namespace dlperf::report {

struct Titles {
    std::string common;         // "ResNet50 v1.5, fp32, batch size 128"; parts without a majority are skipped
    bool commonIsOfAll = true;  // not only of most series
    std::vector<std::string> series;  // in the order of the keys
};

[[nodiscard]] Titles titlesOf(const std::vector<SeriesKey>& keys, const Vocabulary& vocabulary);

// For narrow room: without the parts between commas that all of them have, "batch size 64" of "dlperf-worker,
// batch size 64" and "dlperf-worker, batch size 32". A title that would be empty keeps them, and so do all.
[[nodiscard]] std::vector<std::string> withoutSharedParts(const std::vector<std::string>& titles);

// As people count: "batch size 64" stands before "batch size 128".
[[nodiscard]] std::strong_ordering naturalOrder(std::string_view one, std::string_view other);

// "NGC PyTorch"; of an imported log whose trainer is not known its framework, or else its format: "mine"
[[nodiscard]] std::string trainerText(const Configuration& configuration, const Vocabulary& vocabulary);
// "ResNet50 v1.5", "fp32" ("unknown precision"), "batch size 128" ("unknown batch size", "global batch size
// 256")
[[nodiscard]] std::string modelText(const Configuration& configuration, const Vocabulary& vocabulary);
[[nodiscard]] std::string precisionText(const Configuration& configuration);
[[nodiscard]] std::string batchText(const Configuration& configuration);
// "DALI, XLA"; "workers=8, image_size=64"
[[nodiscard]] std::string featuresText(const Configuration& configuration, const Vocabulary& vocabulary);
// "DALI, image_size=64": all of them
[[nodiscard]] std::string settingsText(const Configuration& configuration, const Vocabulary& vocabulary);
// What tells each from the others of its implementation besides batch size and precision, in the words of
// titles: "image_size=64"; empty where that is nothing.
[[nodiscard]] std::vector<std::string> settingsApart(const std::vector<const Configuration*>& configurations,
                                                     const Vocabulary& vocabulary);
// "real" or "synthetic". DLPerf trains on real images unless its features say synthetic; the bundled trainers
// make their data unless told where real ones are.
[[nodiscard]] std::string dataSource(const Configuration& configuration);
[[nodiscard]] std::string variantText(const Variant& variant);
// What all of them have with the same value, to be said once.
[[nodiscard]] Variant sharedSettings(const std::vector<const Variant*>& variants);

}  // namespace dlperf::report
