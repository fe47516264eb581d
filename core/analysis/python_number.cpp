// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cmath>

#include "core/analysis/json_table.h"

namespace dlperf::analysis {

std::string pythonNumber(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    // Python writes an exponent below 1e-4 and from 1e16 on; the digits are the same shortest ones.
    const double size = std::abs(value);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                       plain ? std::chars_format::fixed : std::chars_format::scientific);
    std::string number(text.data(), written.ptr);
    if (plain && number.find('.') == std::string::npos) number += ".0";
    return number;
}

}  // namespace dlperf::analysis
