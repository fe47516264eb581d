// SPDX-License-Identifier: Apache-2.0
#include "core/report/sample_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace dlperf::report {
namespace {

constexpr std::size_t most = 2000;

std::vector<Sample> noise(std::size_t count) {
    std::mt19937 random(5);
    std::normal_distribution<double> value(2500, 40);
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < count; ++i) {
        samples.push_back({static_cast<double>(3 * i), value(random)});
    }
    return samples;
}

SampleLine lineOf(const std::vector<Sample>& samples) {
    SampleLine line;
    for (const Sample& sample : samples) {
        line.append(sample);
    }
    return line;
}

bool lower(const Sample& a, const Sample& b) {
    return a.y < b.y;
}

void expectPartOf(const std::vector<Sample>& part, const std::vector<Sample>& whole) {
    std::size_t found = 0;
    for (const Sample& sample : whole) {
        found += found < part.size() && part[found] == sample ? 1 : 0;
    }
    EXPECT_EQ(found, part.size());
}

TEST(SampleLine, TheWholeHasItsEndsAndItsExtremes) {
    for (const std::size_t count : {2001U, 8191U, 8192U, 8193U, 16384U, 99'999U, 1'000'000U}) {
        const auto samples = noise(count);
        const auto kept = lineOf(samples).between(samples.front().x, samples.back().x, most);
        EXPECT_LE(kept.size(), most) << count;
        EXPECT_GT(kept.size(), most / 4) << count;
        expectPartOf(kept, samples);
        EXPECT_EQ(kept.front(), samples.front());
        EXPECT_EQ(kept.back(), samples.back());
        const auto [low, high] = std::minmax_element(samples.begin(), samples.end(), lower);
        const auto [keptLow, keptHigh] = std::minmax_element(kept.begin(), kept.end(), lower);
        EXPECT_EQ(*keptLow, *low) << count;
        EXPECT_EQ(*keptHigh, *high) << count;
    }
}

// Whatever part is asked for: no point of it lies outside what is drawn there, and nothing is drawn that is
// not in the line.
TEST(SampleLine, AnyPartKeepsItsExtremes) {
    const auto samples = noise(200'000);
    const SampleLine line = lineOf(samples);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> anywhere(-1000, samples.back().x + 1000);
    for (int i = 0; i < 200; ++i) {
        double from = anywhere(random);
        double to = anywhere(random);
        if (from > to) {
            std::swap(from, to);
        }
        const auto begin =
            std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.x >= from; });
        const auto end = std::find_if(begin, samples.end(), [&](const Sample& s) { return s.x > to; });
        const auto kept = line.between(from, to, most);
        EXPECT_LE(kept.size(), most);
        expectPartOf(kept, samples);
        if (begin == end) {
            continue;
        }
        const auto [low, high] = std::minmax_element(begin, end, lower);
        const auto [keptLow, keptHigh] = std::minmax_element(kept.begin(), kept.end(), lower);
        EXPECT_LE(keptLow->y, low->y);
        EXPECT_GE(keptHigh->y, high->y);
        EXPECT_LE(kept.front().x, begin->x);
        EXPECT_GE(kept.back().x, std::prev(end)->x);
    }
}

// Panning must not make the line flicker: the common part of two views has the same points.
TEST(SampleLine, MovingAPartKeepsItsPoints) {
    const SampleLine line = lineOf(noise(300'000));
    const auto before = line.between(100'000, 400'000, most);
    const auto after = line.between(110'000, 410'000, most);
    const auto within = [](const std::vector<Sample>& samples) {
        std::vector<Sample> kept;
        std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept),
                     [](const Sample& s) { return s.x > 112'000 && s.x < 398'000; });
        return kept;
    };
    EXPECT_GT(within(before).size(), most / 4);
    EXPECT_EQ(within(before), within(after));
}

TEST(SampleLine, FewPointsComeAsTheyAreWithTheirNeighbours) {
    const auto samples = noise(100'000);
    const SampleLine line = lineOf(samples);
    const auto kept = line.between(30, 60, most);  // x of the points 10 to 20
    EXPECT_EQ(kept, std::vector<Sample>(samples.begin() + 9, samples.begin() + 22));
    EXPECT_EQ(line.between(31, 32, most).size(), 2U);  // between two points: the line passes through
    EXPECT_TRUE(line.between(60, 30, most).empty());
    EXPECT_TRUE(SampleLine().between(0, 1, most).empty());
}

TEST(SampleLine, FindsTheNearest) {
    const SampleLine line = lineOf(noise(20'000));
    EXPECT_EQ(line.nearest(-5)->x, 0);
    EXPECT_EQ(line.nearest(31)->x, 30);
    EXPECT_EQ(line.nearest(32)->x, 33);
    EXPECT_EQ(line.nearest(1e9)->x, 59'997);
    EXPECT_FALSE(SampleLine().nearest(0));
}

TEST(SampleLine, ARestartDropsWhatIsBeyond) {
    auto samples = noise(20'000);
    SampleLine line = lineOf(samples);
    const SampleLine before = line;
    line.append({3000, 7});
    ASSERT_EQ(line.size(), 1001U);
    EXPECT_EQ(line.back(), (Sample{3000, 7}));
    EXPECT_EQ(line.at(999), samples[999]);
    EXPECT_EQ(before.size(), 20'000U);
    EXPECT_EQ(before.at(1000), samples[1000]);
    line.append({-1, 3});
    EXPECT_EQ(line.size(), 1U);
    for (const Sample& sample : samples) {
        line.append(sample);
    }
    EXPECT_EQ(line.size(), 20'001U);
    EXPECT_EQ(line.at(8192), samples[8191]);
}

}  // namespace
}  // namespace dlperf::report
