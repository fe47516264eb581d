// SPDX-License-Identifier: Apache-2.0
#include "core/log/row_folds.h"

namespace dlperf::log {

std::uint64_t rowCount(const std::vector<RowFold>& folds, std::uint64_t places) {
    std::uint64_t rows = places;
    for (const RowFold& fold : folds) {
        rows = rows + fold.rows - fold.places;
    }
    return rows;
}

RowSpot spotOf(const std::vector<RowFold>& folds, std::uint64_t row) {
    std::uint64_t place = 0;
    std::uint64_t at = 0;  // the row of `place`
    for (const RowFold& fold : folds) {
        const std::uint64_t begin = at + (fold.place - place);
        if (row < begin) {
            break;
        }
        if (row < begin + fold.rows) {
            return {fold.place, &fold, row - begin};
        }
        place = fold.place + fold.places;
        at = begin + fold.rows;
    }
    return {place + (row - at), nullptr, 0};
}

std::uint64_t rowOf(const std::vector<RowFold>& folds, std::uint64_t place) {
    std::uint64_t row = place;
    for (const RowFold& fold : folds) {
        if (place < fold.place) {
            break;
        }
        if (place < fold.place + fold.places) {
            return row - (place - fold.place);
        }
        row = row + fold.rows - fold.places;
    }
    return row;
}

}  // namespace dlperf::log
