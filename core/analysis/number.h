// SPDX-License-Identifier: Apache-2.0
// Numbers as trainers print them, read to the last bit.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace dlperf::analysis {

// Exact as doubles.
inline constexpr std::array<double, 16> powersOfTen{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

inline constexpr auto wholePowersOfTen = [] {
    std::array<std::uint64_t, powersOfTen.size()> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers[i] = powers[i - 1] * 10;
    }
    return powers;
}();

// The number at the front, without the blanks before it; empty if there is none. "nan" and "inf" are numbers.
// Which bytes it takes hangs on where digits stand, not on which they are.
[[nodiscard]] std::string_view numberAt(std::string_view text);

// What follows the number says that it is another one: "1,234.5" is no 1 and "1.2k" no 1.2. But "250,128,0.1"
// is a list, and "100,20" as well.
[[nodiscard]] bool goesOn(std::string_view number, std::string_view rest);

// The same as numberAt() without sign, point and exponent.
[[nodiscard]] std::string_view integerAt(std::string_view text);

[[nodiscard]] constexpr bool isDigit(char c) {
    return static_cast<unsigned char>(c - '0') <= 9;
}
[[nodiscard]] constexpr bool hasDigit(std::string_view text) {
    for (const char c : text) {
        if (isDigit(c)) {
            return true;
        }
    }
    return false;
}
[[nodiscard]] constexpr bool isBlank(char c) {
    return (c == ' ') | (static_cast<unsigned char>(c - '\t') <= '\r' - '\t');
}

// "12.345" and the like at the front: how many bytes it takes, 0 where the number needs more care. Up to 15
// digits are exact as a double, as is the power of ten that divides them, so one division rounds correctly.
[[nodiscard]] inline std::size_t readPlain(std::string_view text, double& value) {
    constexpr std::size_t mostDigits = powersOfTen.size() - 1;
    constexpr std::size_t none = std::string_view::npos;
    std::size_t point = none;
    std::uint64_t digits = 0;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const auto digit = static_cast<unsigned char>(text[at] - '0');
        if (digit <= 9) {
            digits = digits * 10 + digit;
        } else if (text[at] == '.' && point == none && at > 0) {
            point = at;
        } else {
            break;
        }
    }
    const std::size_t places = point == none ? 0 : at - point - 1;
    const std::size_t count = at - (point == none ? 0 : 1);
    const bool hasExponent = at < text.size() && (text[at] | 0x20) == 'e';
    if (count == 0 || count > mostDigits || hasExponent) {
        return 0;
    }
    value = static_cast<double>(digits) / powersOfTen[places];
    return at;
}

[[nodiscard]] std::optional<double> toNumberWithCare(std::string_view text);

// The whole text as a number, blanks around it aside. This is asked for each line of a log: written in place
// and inline, because an optional that is copied takes longer than its number.
inline void readNumber(std::string_view text, std::optional<double>& number) {
    double value = 0;
    if (readPlain(text, value) == text.size() && !text.empty()) {
        number = value;
    } else {
        number = toNumberWithCare(text);
    }
}
[[nodiscard]] inline std::optional<double> toNumber(std::string_view text) {
    std::optional<double> number;
    readNumber(text, number);
    return number;
}

// The whole text as an integer of digits only, below 10^16.
inline void readInteger(std::string_view text, std::optional<std::int64_t>& number) {
    constexpr std::int64_t highest = 1'000'000'000'000'000;
    std::int64_t value = 0;
    number.reset();
    for (const char c : text) {
        if (!isDigit(c) || value >= highest) {
            return;
        }
        value = value * 10 + (c - '0');
    }
    if (!text.empty()) {
        number = value;
    }
}

// What is known of a number's text before its digits are: "1853.912" has 4 digits and 3 behind the point.
struct NumberShape {
    std::uint8_t whole = 0;  // digits; 0: it must be read with care
    std::uint8_t decimals = 0;
    // Of a text of at most 8 bytes: which of the eight that end with it are digits before the point, behind
    // it.
    std::uint64_t wholeBytes = 0;
    std::uint64_t decimalBytes = 0;

    bool isShort() const { return (wholeBytes | decimalBytes) != 0; }
};

// `before` bytes stand in front of the text, and may be read.
[[nodiscard]] NumberShape shapeOfNumber(std::string_view text, std::size_t before);

// The eight bytes before `end`.
[[nodiscard]] inline std::uint64_t bytesBefore(const char* end) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, end - sizeof bytes, sizeof bytes);
    return bytes;
}
// The last bytes of eight.
[[nodiscard]] constexpr std::uint64_t lastBytes(unsigned count) {
    return count == 0 ? 0 : ~std::uint64_t{0} << (64 - 8 * count);
}
constexpr std::uint64_t zeroDigits = 0x3030303030303030U;

// Eight digits, the first in the lowest byte: neighbours make pairs, pairs make fours, and these the number.
[[nodiscard]] constexpr std::uint64_t numberOf(std::uint64_t digits) {
    digits = (digits * 10 + (digits >> 8U)) & 0x00FF00FF00FF00FFU;
    digits = (digits * 100 + (digits >> 16U)) & 0x0000FFFF0000FFFFU;
    return (digits * 10000 + (digits >> 32U)) & 0xFFFFFFFFU;
}

// The last digits before `end`, up to 8.
[[nodiscard]] inline std::uint64_t readDigits(const char* end, unsigned count) {
    return numberOf((bytesBefore(end) ^ zeroDigits) & lastBytes(count));
}

// Up to 16 of them.
[[nodiscard]] inline std::uint64_t readManyDigits(const char* end, unsigned count) {
    constexpr unsigned atOnce = 8;
    if (count <= atOnce) {
        return readDigits(end, count);
    }
    return readDigits(end - atOnce, count - atOnce) * wholePowersOfTen[atOnce] + readDigits(end, atOnce);
}

// A number of a known shape that starts at `text`.
[[nodiscard]] inline double readNumber(const char* text, const NumberShape& shape) {
    const char* const end = text + shape.whole + (shape.decimals > 0 ? shape.decimals + 1U : 0U);
    std::uint64_t digits = 0;
    if (shape.isShort()) {  // its point goes
        const std::uint64_t bytes = bytesBefore(end) ^ zeroDigits;
        digits = numberOf((bytes & shape.decimalBytes) | ((bytes & shape.wholeBytes) << 8U));
    } else {
        digits = readDigits(text + shape.whole, shape.whole) * wholePowersOfTen[shape.decimals] +
                 readManyDigits(end, shape.decimals);
    }
    return static_cast<double>(static_cast<std::int64_t>(digits)) / powersOfTen[shape.decimals];
}

}  // namespace dlperf::analysis
