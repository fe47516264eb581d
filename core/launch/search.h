// SPDX-License-Identifier: Apache-2.0
// Which value a search tries next, from what it has tried: without I/O or memory of its own, so that whoever
// knows the trials knows where the search stands.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/base/json.h"
#include "core/model/case.h"

namespace dlperf::launch {

// What a campaign finds by its own runs, in steps of multipleOf. n is the answer and s where the search
// begins. Without an option: the largest batch size per device that fits into memory, doubled until a run is
// out of memory, then halved between the largest that fits and the smallest that does not, in at most 2
// log2(n) + 2 - log2(s) runs, rounded up, and log2(s) + 1 where s itself does not fit. Of an option, such as
// the number of threads that load data: the least value that is as fast as any, to 2 %. Doubled until that no
// longer helps, then halved between the least that is as fast as the best and the largest that is not: two
// runs more at most, for those beyond the answer.
struct Search {
    std::string option{};  // of the recipe; empty: the batch size
    int most = 65'536;     // nothing larger is tried
    int multipleOf = 1;    // of which all that is tried is a multiple
    friend bool operator==(const Search&, const Search&) = default;
};

inline constexpr int largestBatchSize = 1 << 24;  // that a plan may name
inline constexpr int mostOfAnOption = 64;         // unless its search says another

// "search" of a plan or a campaign: {"batch_size": {"most": 4096, "multiple_of": 8}} or
// {"option": {"name": "workers", "most": 64}}; nothing without one. Errors go to the reader.
[[nodiscard]] std::optional<Search> searchFromJson(JsonReader& reader);
[[nodiscard]] Json toJson(const Search& search);

// A run of the search that has ended.
struct Trial {
    int value = 0;
    Outcome outcome = Outcome::Ok;
    double throughput = 0;  // of a search of an option
};

// Nothing next and no answer: none fits, or a trial ended as neither Ok nor Oom (of an option: without a
// figure), which answers nothing.
struct SearchState {
    std::optional<int> next;    // to be tried
    std::optional<int> answer;  // the largest that fits; the least that is as fast as any
    std::optional<int> fits;    // the largest so far; of an option, the fastest so far
    std::optional<int> fails;   // the smallest so far that was out of memory; of an option, the largest below
                                // the answer, which is slower
};

// `start` and `most` are multiples of multipleOf, start the smaller one. Of several trials of a value any Oom
// counts: what fits now and then does not fit. Of an option the better one counts.
[[nodiscard]] SearchState stateOf(const Search& search, int start, std::span<const Trial> trials);

}  // namespace dlperf::launch
