// SPDX-License-Identifier: Apache-2.0
// Rows of a view over places of a log, where some places are shown as fewer or more rows than they are. The
// folds are few; what lies between them is not touched, so that it costs the same whatever the log's length.
#pragma once

#include <cstdint>
#include <vector>

namespace dlperf::log {

struct RowFold {
    std::uint64_t place = 0;
    std::uint64_t places = 1;
    std::uint64_t rows = 1;  // in place of them
};

struct RowSpot {
    std::uint64_t place = 0;
    const RowFold* fold = nullptr;  // where the row belongs to one
    std::uint64_t rowInFold = 0;
};

// Folds are sorted by place and do not overlap.
[[nodiscard]] std::uint64_t rowCount(const std::vector<RowFold>& folds, std::uint64_t places);
[[nodiscard]] RowSpot spotOf(const std::vector<RowFold>& folds, std::uint64_t row);
// The first row of the place; of a fold's places all have its first row.
[[nodiscard]] std::uint64_t rowOf(const std::vector<RowFold>& folds, std::uint64_t place);

}  // namespace dlperf::log
