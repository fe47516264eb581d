// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/analysis/number.h"
#include "core/analysis/summary.h"

namespace dlperf::analysis {
namespace {

// Python's rounding without a detour over text, and whether it is sure: the product is wrong by at most 2^-53
// of it, so that is known unless it lies that close to a half. A quotient of two exact integers is rounded
// once, as a decimal that is read back is. Free of branches, so that compilers make vectors of it.
struct Quick {
    double value;
    bool sure;
};
Quick quicklyRounded(double value, double scale) {
    constexpr double integers = 4503599627370496.0;  // 2^52: what is added to it loses its fraction
    constexpr double mostScaled = 1e15;
    const double scaled = std::abs(value) * scale;
    const double nearest = (scaled + integers) - integers;
    const double toHalf = 0.5 - std::abs(scaled - nearest);
    const double error = scaled * std::numeric_limits<double>::epsilon();
    const bool sure = (static_cast<int>(scaled < mostScaled) & static_cast<int>(toHalf > error)) != 0;
    return {std::copysign(nearest / scale, value), sure};
}

// The same where a product below 2^50 lies close to a half: only one that is a half after its own rounding
// needs its error, which a fused multiplication gives exactly.
double roundedNearHalf(double value, double scale) {
    const double size = std::abs(value);
    const double scaled = size * scale;
    const double below = std::floor(scaled);
    const double error = scaled == below + 0.5 ? std::fma(size, scale, -scaled) : scaled - (below + 0.5);
    const bool up = error > 0 || (error == 0 && std::fmod(below, 2) != 0);
    return std::copysign((up ? below + 1 : below) / scale, value);
}

// The decimal that is nearest to the exact binary value, ties to even; printing with a fixed number of
// places is correctly rounded, and so is reading it back.
double pythonRounded(double value, int decimals) {
    // Above this every double is an integer already; it also bounds the text below.
    constexpr double allInteger = 9007199254740992.0;  // 2^53
    if (std::abs(value) >= allInteger) {
        return value;
    }
    const double scale = powersOfTen[static_cast<std::size_t>(decimals)];
    const Quick quick = quicklyRounded(value, scale);
    if (quick.sure) {
        return quick.value;
    }
    constexpr double mostScaled = 1e15;
    if (std::abs(value) * scale < mostScaled) {
        return roundedNearHalf(value, scale);
    }
    std::array<char, 48> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    double result = value;
    std::from_chars(text.data(), written.ptr, result);
    return result;
}

double numpyRounded(double value, int decimals) {
    const double scale = powersOfTen[static_cast<std::size_t>(decimals)];
    return std::nearbyint(value * scale) / scale;
}

}  // namespace

double rounded(double value, int decimals, Rounding rounding) {
    if (!std::isfinite(value)) {
        return value;
    }
    return rounding == Rounding::Python ? pythonRounded(value, decimals) : numpyRounded(value, decimals);
}

}  // namespace dlperf::analysis
