// SPDX-License-Identifier: Apache-2.0
// The runs that a campaign adds to itself: what a search tries next, and what it found. Told by the
// campaign's runs alone, so that its runner, `dlperf status` and the window agree, and whoever resumes it
// goes on where the last runner was.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/run/run_state.h"

namespace dlperf::run {

// Of a campaign that searches: a case, and the runs that differ from it in the searched value alone.
struct SearchedCase {
    Case benchmarkCase;             // of its first run
    std::vector<std::size_t> runs;  // in the campaign, from 0; in their order
    std::vector<int> values;        // of each of them: its batch size, or the option's value
    bool waits = false;             // one of them has not ended
    launch::SearchState state;      // by those that have
};
// In the order of their first runs; empty for a campaign that does not search.
[[nodiscard]] std::vector<SearchedCase> searchedCases(const Campaign& campaign);

// "the largest batch size that fits is 53 a device; 54 runs out of memory"; "workers = 3 is the least that is
// as fast as any". What else there is to say of a search that goes on, or ended without an answer.
[[nodiscard]] std::string describeSearch(const Campaign& campaign, const SearchedCase& searched);

// Of a campaign that repeats until: a case, and its runs.
struct RepeatedCase {
    Case benchmarkCase;
    std::vector<std::size_t> runs;  // in the campaign, from 0; in their order
    bool waits = false;             // one of them has not ended
    bool wantsAnother = false;      // by the figures so far; never once a run ended without one
    std::optional<double> width;    // of the interval over the median; nothing for too few figures
    std::size_t figures = 0;        // of runs that ended well
};
// In the order of their first runs; empty for a campaign that does not repeat until.
[[nodiscard]] std::vector<RepeatedCase> repeatedCases(const Campaign& campaign);

// "the median is known within 1.6 % after 6 runs", or how far it is.
[[nodiscard]] std::string describeRepetitions(const Campaign& campaign, const RepeatedCase& repeated);

// A run to add.
struct WantedRun {
    std::size_t like = 0;  // which run it is planned as but for what follows, from 0
    int batchSize = 0;
    std::optional<Variant> variant{};  // else that of `like`
};
// Empty as long as those that decide it have not ended, and once all is known.
[[nodiscard]] std::vector<WantedRun> wantedRuns(const Campaign& campaign);

}  // namespace dlperf::run
