// SPDX-License-Identifier: Apache-2.0
#include "core/log/row_folds.h"

#include <gtest/gtest.h>

namespace dlperf::log {
namespace {

// Places 0 1 [2 3 4 as one row] 5 [6 as three rows] 7; before 7 a row of its own.
const std::vector<RowFold> folds{{2, 3, 1}, {6, 1, 3}, {7, 0, 1}};

TEST(RowFolds, RowsAndPlacesFindEachOther) {
    EXPECT_EQ(rowCount(folds, 8), 9U);
    const std::vector<std::uint64_t> places{0, 1, 2, 5, 6, 6, 6, 7, 7};
    for (std::uint64_t row = 0; row < places.size(); ++row) {
        EXPECT_EQ(spotOf(folds, row).place, places[row]) << row;
    }
    EXPECT_EQ(spotOf(folds, 2).fold, &folds[0]);
    EXPECT_EQ(spotOf(folds, 5).rowInFold, 1U);
    EXPECT_EQ(spotOf(folds, 7).fold, &folds[2]);
    EXPECT_EQ(spotOf(folds, 8).fold, nullptr);
    const std::vector<std::uint64_t> rows{0, 1, 2, 2, 2, 3, 4, 8};
    for (std::uint64_t place = 0; place < rows.size(); ++place) {
        EXPECT_EQ(rowOf(folds, place), rows[place]) << place;
    }
}

TEST(RowFolds, WithoutFoldsARowIsAPlace) {
    EXPECT_EQ(rowCount({}, 5), 5U);
    EXPECT_EQ(spotOf({}, 3).place, 3U);
    EXPECT_EQ(rowOf({}, 3), 3U);
}

}  // namespace
}  // namespace dlperf::log
