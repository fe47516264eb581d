// SPDX-License-Identifier: Apache-2.0
// Which value a search tries next, from what it has tried: without I/O or memory of its own, so that whoever
// knows the trials knows where the search stands.
#pragma once

#include <optional>
#include <span>

#include "core/base/json.h"
#include "core/model/case.h"

namespace dlperf::launch {

// The largest batch size per device that fits into memory: doubled until a run is out of memory, then halved
// between the largest that fits and the smallest that does not. With s, where it begins, and n, the answer,
// both in steps of multipleOf, it takes at most 2 log2(n) + 2 - log2(s) runs, rounded up, and log2(s) + 1
// where s itself does not fit.
struct BatchSearch {
    int most = 65'536;   // nothing larger is tried
    int multipleOf = 1;  // of which all that is tried is a multiple
    friend bool operator==(const BatchSearch&, const BatchSearch&) = default;
};

inline constexpr int largestBatchSize = 1 << 24;  // that a plan may name

// "search" of a plan or a campaign: {"batch_size": {"most": 4096, "multiple_of": 8}}; nothing without one.
// Errors go to the reader.
[[nodiscard]] std::optional<BatchSearch> searchFromJson(JsonReader& reader);
[[nodiscard]] Json toJson(const BatchSearch& search);

// A run of the search that has ended.
struct Trial {
    int value = 0;
    Outcome outcome = Outcome::Ok;
};

// Nothing next and no answer: none fits, or a trial ended as neither Ok nor Oom, which answers nothing.
struct SearchState {
    std::optional<int> next;    // to be tried
    std::optional<int> answer;  // the largest that fits
    std::optional<int> fits;    // the largest so far
    std::optional<int> fails;   // the smallest so far that was out of memory
};

// `start` and `most` are multiples of multipleOf, start the smaller one. Of several trials of a value any Oom
// counts: what fits now and then does not fit.
[[nodiscard]] SearchState largestThatFits(const BatchSearch& search, int start,
                                          std::span<const Trial> trials);

}  // namespace dlperf::launch
