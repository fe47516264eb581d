// SPDX-License-Identifier: Apache-2.0
// Whether two cases differ at all, or their repetitions only fell that way: the two-sided rank test of Mann
// and Whitney (1947). It assumes no shape of the figures and one wild repetition cannot carry it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace dlperf::analysis {

inline constexpr double significance = 0.05;     // of each test; tables of many pairs are not corrected
inline constexpr std::size_t mostForExact = 40;  // figures of both cases together

struct RankTest {
    double u = 0;        // pairs in which the first case has the larger figure; a tie counts half
    double p = 1;        // that ranks lie this far apart, or further, where the cases do not differ
    bool exact = false;  // of all arrangements of the ranks, ties included; else by the normal approximation
};

// Up to 40 figures p is counted, as scipy's mannwhitneyu(method="exact") has it where no figures are equal;
// where some are, it is counted over the mean ranks, which scipy does not do. Beyond, it is the normal
// approximation with corrections for continuity and ties, scipy's method="asymptotic". Nothing when a case
// has no figure, or one that is not finite.
[[nodiscard]] std::optional<RankTest> mannWhitney(std::span<const double> first,
                                                  std::span<const double> second);

// What a test of so many figures can say.
enum class Verdict {
    Unknown,  // a case has no repetitions: its source quotes one figure
    TooFew,   // even figures that do not overlap at all would not do
    Alike,    // not distinguishable
    Different,
};

[[nodiscard]] Verdict verdictOf(std::span<const double> first, std::span<const double> second);

// "0.310", "< 0.001"
[[nodiscard]] std::string pFigure(double p);
// "p = 0.310", "p < 0.001"
[[nodiscard]] std::string pText(double p);

}  // namespace dlperf::analysis
