// SPDX-License-Identifier: Apache-2.0
// Numbers as trainers print them, read to the last bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dlperf::analysis {

// The number at the front, behind blanks; what follows it does not matter. "nan" and "inf" are numbers.
// `used` tells how many bytes it takes, blanks before it with it.
[[nodiscard]] std::optional<double> leadingNumber(std::string_view text, std::size_t* used = nullptr);

// The same without sign, point and exponent.
[[nodiscard]] std::optional<std::int64_t> leadingInteger(std::string_view text, std::size_t* used = nullptr);

// The whole text as a number, blanks around it aside.
[[nodiscard]] std::optional<double> toNumber(std::string_view text);

[[nodiscard]] constexpr bool isDigit(char c) {
    return static_cast<unsigned char>(c - '0') <= 9;
}
[[nodiscard]] constexpr bool isBlank(char c) {
    return (c == ' ') | (static_cast<unsigned char>(c - '\t') <= '\r' - '\t');
}

}  // namespace dlperf::analysis
