// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>

#include "core/analysis/summary.h"

namespace dlperf::analysis {
namespace {

// The decimal that is nearest to the exact binary value, ties to even; printing with a fixed number of
// places is correctly rounded, and so is reading it back.
double pythonRounded(double value, int decimals) {
    // Above this every double is an integer already; it also bounds the text below.
    constexpr double allInteger = 9007199254740992.0;  // 2^53
    if (std::abs(value) >= allInteger) return value;
    std::array<char, 48> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    double result = value;
    std::from_chars(text.data(), written.ptr, result);
    return result;
}

double numpyRounded(double value, int decimals) {
    const double scale = std::pow(10.0, decimals);  // exact up to 10^22
    return std::nearbyint(value * scale) / scale;
}

}  // namespace

double rounded(double value, int decimals, Rounding rounding) {
    if (!std::isfinite(value)) return value;
    return rounding == Rounding::Python ? pythonRounded(value, decimals) : numpyRounded(value, decimals);
}

}  // namespace dlperf::analysis
