// SPDX-License-Identifier: Apache-2.0
#include "core/log/merge_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace dlperf::log {
namespace {

using Kind = MergeOrder::Kind;
using Counts = std::vector<std::uint64_t>;

std::string spelled(const MergeOrder& order) {
    std::string logs;
    for (std::uint64_t place = 0; place < order.size(); ++place) {
        logs += static_cast<char>('a' + order.at(place).log);
    }
    return logs;
}

TEST(MergeOrder, SpreadsWhatOneLookFoundAndKeepsLooksApart) {
    MergeOrder order(3);
    order.add({4, 2, 0}, Kind::Share);
    EXPECT_EQ(spelled(order), "abaaba");
    order.add({0, 0, 2}, Kind::Moment);
    order.add({2, 1, 2}, Kind::Moment);
    EXPECT_EQ(spelled(order), "abaabaccaabcc");
}

// The rule written down anew: sort everything by its share.
std::vector<std::pair<std::size_t, std::uint64_t>> bySharesOf(
    const std::vector<std::pair<Counts, Kind>>& looks) {
    std::vector<std::pair<std::size_t, std::uint64_t>> units;
    Counts before(looks.front().first.size(), 0);
    for (const auto& [look, kind] : looks) {
        std::vector<std::tuple<double, std::size_t, std::uint64_t>> found;
        for (std::size_t log = 0; log < look.size(); ++log) {
            for (std::uint64_t i = 0; i < look[log]; ++i) {
                const double share = kind == Kind::Moment
                                         ? 0
                                         : (static_cast<double>(i) + 0.5) / static_cast<double>(look[log]);
                found.emplace_back(share, log, before[log] + i);
            }
            before[log] += look[log];
        }
        std::ranges::sort(found);
        for (const auto& [share, log, unit] : found) {
            units.emplace_back(log, unit);
        }
    }
    return units;
}

TEST(MergeOrder, EveryUnitIsFoundAtItsPlace) {
    std::mt19937 random(7);
    for (int round = 0; round < 30; ++round) {
        const std::size_t logs = 1 + random() % 9;
        MergeOrder order(logs);
        std::vector<std::pair<Counts, Kind>> looks;
        for (int look = 0; look < 6; ++look) {
            Counts counts(logs);
            for (auto& count : counts) {
                count = random() % 3 == 0 ? 0 : std::uint64_t{1} << (random() % 6);
            }
            const Kind kind = random() % 2 == 0 ? Kind::Share : Kind::Moment;
            order.add(counts, kind);
            looks.emplace_back(counts, kind);
        }
        const auto units = bySharesOf(looks);
        ASSERT_EQ(order.size(), units.size());
        Counts before(logs, 0);
        for (std::uint64_t place = 0; place < units.size(); ++place) {
            const auto& [log, unit] = units[place];
            ASSERT_EQ(order.before(place), before);
            ASSERT_EQ(order.at(place).before, before);
            ASSERT_EQ(order.at(place).log, log);
            ASSERT_EQ(order.placeOf(log, unit), place);
            ++before[log];
        }
        EXPECT_EQ(order.before(order.size()), before);
    }
}

TEST(MergeOrder, IsQuickWithMillionsInOneLook) {
    MergeOrder order(8);
    order.add({10'000'000, 9'999'999, 5, 1, 0, 3'333'333, 10'000'000, 7}, Kind::Share);
    for (const std::uint64_t place : {std::uint64_t{0}, std::uint64_t{12'345'678}, order.size() - 1}) {
        const std::size_t log = order.at(place).log;
        EXPECT_EQ(order.placeOf(log, order.before(place)[log]), place);
    }
}

}  // namespace
}  // namespace dlperf::log
