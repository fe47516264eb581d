// SPDX-License-Identifier: Apache-2.0
// Numbers as trainers print them, read to the last bit.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace dlperf::analysis {

// The number at the front, behind blanks; what follows it does not matter. "nan" and "inf" are numbers.
[[nodiscard]] inline std::optional<double> leadingNumber(std::string_view text, std::size_t* used = nullptr) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    if (used != nullptr) *used = static_cast<std::size_t>(end - text.data());
    return value;
}

// The whole text as a number, blanks around it aside.
[[nodiscard]] inline std::optional<double> toNumber(std::string_view text) {
    std::size_t used = 0;
    const auto value = leadingNumber(text, &used);
    if (!value || text.find_first_not_of(" \t", used) != std::string_view::npos) return std::nullopt;
    return value;
}

}  // namespace dlperf::analysis
