// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/number.h"

#include <array>
#include <charconv>

namespace dlperf::analysis {
namespace {

constexpr std::array<double, 16> powersOfTen{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

const char* skipBlanks(const char* at, const char* end) {
    while (at != end && (*at == ' ' || *at == '\t')) {
        ++at;
    }
    return at;
}

// "12.345" and the like: up to 15 digits are exact as a double, as is the power of ten that divides them, so
// one division rounds correctly. Null where the number needs more care.
const char* readPlain(const char* at, const char* end, double& value) {
    constexpr std::ptrdiff_t mostDigits = 15;
    const char* const start = at;
    const char* point = nullptr;
    std::uint64_t digits = 0;
    for (; at != end; ++at) {
        const auto digit = static_cast<unsigned char>(*at - '0');
        if (digit <= 9) {
            digits = digits * 10 + digit;
        } else if (*at == '.' && point == nullptr && at != start) {
            point = at;
        } else {
            break;
        }
    }
    const std::ptrdiff_t places = point == nullptr ? 0 : at - point - 1;
    const std::ptrdiff_t count = at - start - (point == nullptr ? 0 : 1);
    if (count == 0 || count > mostDigits) return nullptr;
    if (at != end && (*at | 0x20) == 'e') return nullptr;
    value = static_cast<double>(digits) / powersOfTen[static_cast<std::size_t>(places)];
    return at;
}

}  // namespace

std::optional<double> leadingNumber(std::string_view text, std::size_t* used) {
    const char* const end = text.data() + text.size();
    const char* const start = skipBlanks(text.data(), end);
    double value = 0;
    const char* stop = readPlain(start, end, value);
    if (stop == nullptr) {
        const auto [at, error] = std::from_chars(start, end, value);
        if (error != std::errc{}) return std::nullopt;
        stop = at;
    }
    if (used != nullptr) *used = static_cast<std::size_t>(stop - text.data());
    return value;
}

std::optional<std::int64_t> leadingInteger(std::string_view text, std::size_t* used) {
    constexpr std::int64_t highest = 1'000'000'000'000'000;
    const char* const end = text.data() + text.size();
    const char* at = skipBlanks(text.data(), end);
    const char* const start = at;
    std::int64_t value = 0;
    for (; at != end && isDigit(*at); ++at) {
        if (value >= highest) return std::nullopt;
        value = value * 10 + (*at - '0');
    }
    if (at == start) return std::nullopt;
    if (used != nullptr) *used = static_cast<std::size_t>(at - text.data());
    return value;
}

std::optional<double> toNumber(std::string_view text) {
    std::size_t used = 0;
    const auto value = leadingNumber(text, &used);
    if (!value || text.find_first_not_of(" \t", used) != std::string_view::npos) return std::nullopt;
    return value;
}

}  // namespace dlperf::analysis
