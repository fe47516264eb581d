// SPDX-License-Identifier: Apache-2.0
#include "core/launch/search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace dlperf::launch {
namespace {

struct Searched {
    std::optional<int> answer;
    std::vector<int> tried;
};

Searched searchBy(const Search& wanted, int start, const std::function<Trial(int value)>& run) {
    std::vector<Trial> trials;
    Searched searched;
    for (;;) {
        const SearchState state = stateOf(wanted, start, trials);
        if (!state.next || trials.size() > 100) {
            EXPECT_LE(trials.size(), 100U);
            searched.answer = state.answer;
            return searched;
        }
        searched.tried.push_back(*state.next);
        trials.push_back(run(*state.next));
    }
}

// Where `fits` do.
Searched search(const Search& wanted, int start, int fits) {
    return searchBy(wanted, start, [&](int value) {
        return Trial{value, value <= fits ? Outcome::Ok : Outcome::Oom};
    });
}

// A trainer whose data `enough` threads load as fast as it computes.
Searched searchThreads(const Search& wanted, int start, int enough) {
    return searchBy(wanted, start, [&](int value) {
        return Trial{value, Outcome::Ok, 100.0 * std::min(value, enough) / enough};
    });
}

// Rounded up, and in steps of multipleOf.
int mostRuns(int start, int answer) {
    return static_cast<int>(
        std::ceil(answer >= start ? 2 * std::log2(answer) + 2 - std::log2(start) : std::log2(start) + 1));
}

TEST(Search, FindsEveryLargestBatchInAFewRuns) {
    for (const int step : {1, 3, 8}) {
        const Search wanted{{}, 65'536 / step * step, step};
        for (const int start : {1, 2, 4, 8, 64, 100}) {
            for (int fits = 0; fits < 3000; ++fits) {
                const Searched searched = search(wanted, start * step, fits);
                const int answer = fits / step;
                ASSERT_EQ(searched.answer.value_or(0), answer * step) << start << " " << step;
                ASSERT_EQ(searched.answer.has_value(), answer > 0);
                ASSERT_LE(static_cast<int>(searched.tried.size()), mostRuns(start, answer))
                    << fits << " from " << start << " by " << step;
                for (const int tried : searched.tried) {
                    ASSERT_TRUE(tried > 0 && tried % step == 0) << tried;
                }
            }
        }
    }
}

TEST(Search, DoublesThenHalves) {
    EXPECT_THAT(search({}, 8, 53).tried, testing::ElementsAre(8, 16, 32, 64, 48, 56, 52, 54, 53));
    EXPECT_THAT(search({}, 64, 5).tried, testing::ElementsAre(64, 32, 16, 8, 4, 6, 5));
}

TEST(Search, FindsTheLeastThatIsAsFastAsAny) {
    for (const int step : {1, 4}) {
        const Search wanted{"workers", 4096 * step, step};
        for (const int start : {1, 2, 8}) {
            for (int enough = 1; enough <= 40; ++enough) {  // one thread fewer is more than 2 % slower
                const Searched searched = searchThreads(wanted, start * step, enough * step);
                ASSERT_EQ(searched.answer, enough * step) << start << " " << step;
                ASSERT_LE(static_cast<int>(searched.tried.size()), mostRuns(start, enough) + 2);
            }
        }
    }
    EXPECT_THAT(searchThreads({"workers", 64, 1}, 1, 3).tried, testing::ElementsAre(1, 2, 4, 8, 3));
    EXPECT_THAT(searchThreads({"workers", 64, 1}, 4, 1).tried, testing::ElementsAre(4, 8, 2, 1));
    EXPECT_THAT(searchThreads({"workers", 6, 1}, 1, 100).tried, testing::ElementsAre(1, 2, 4, 6, 5));
    EXPECT_EQ(searchThreads({"workers", 6, 1}, 1, 100).answer, 6);
}

TEST(Search, OfAnOptionEndsAtAnyTrialWithoutAFigure) {
    const Search wanted{"workers", 64, 1};
    for (const Trial& bad : {Trial{2, Outcome::Failed}, Trial{2, Outcome::Oom}, Trial{2, Outcome::Ok, 0}}) {
        const std::vector<Trial> trials{{1, Outcome::Ok, 100}, bad};
        const SearchState state = stateOf(wanted, 1, trials);
        EXPECT_FALSE(state.next || state.answer);
    }
    EXPECT_FALSE(stateOf(wanted, 0, {}).next);
}

TEST(Search, TriesNothingAboveTheMost) {
    for (const int most : {1, 2, 7, 8, 9, 100}) {
        for (int fits = 0; fits < 200; ++fits) {
            const Searched searched = search({{}, most, 1}, 1, fits);
            ASSERT_EQ(searched.answer.value_or(0), std::min(most, fits));
            for (const int tried : searched.tried) {
                ASSERT_LE(tried, most);
            }
        }
    }
    EXPECT_THAT(search({{}, 100, 1}, 8, 1000).tried, testing::ElementsAre(8, 16, 32, 64, 100));
}

TEST(Search, ATrialThatFailedOtherwiseEndsIt) {
    for (const Outcome outcome : {Outcome::Failed, Outcome::Short, Outcome::Cancelled, Outcome::NotRun}) {
        const std::vector<Trial> trials{{8, Outcome::Ok}, {16, Outcome::Oom}, {12, outcome}};
        const SearchState state = stateOf({}, 8, trials);
        EXPECT_FALSE(state.next || state.answer);
        EXPECT_TRUE(state.fits == 8 && state.fails == 16) << "as far as it got";
    }
}

// A node that has less memory left at times.
TEST(Search, WhatFitsNowAndThenDoesNotFit) {
    const std::vector<Trial> trials{{8, Outcome::Ok}, {16, Outcome::Ok}, {16, Outcome::Oom}};
    const SearchState state = stateOf({}, 8, trials);
    EXPECT_TRUE(state.fits == 8 && state.fails == 16 && state.next == 12);
}

}  // namespace
}  // namespace dlperf::launch
