// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/number.h"

#include <algorithm>
#include <charconv>

namespace dlperf::analysis {
namespace {

const char* skipBlanks(const char* at, const char* end) {
    while (at != end && (*at == ' ' || *at == '\t')) {
        ++at;
    }
    return at;
}

// How many bytes of ",123,456" are groups of three digits.
std::size_t groupedSize(std::string_view rest) {
    constexpr std::size_t group = 4;  // with its comma
    std::size_t size = 0;
    while (rest.substr(size).starts_with(',') && integerAt(rest.substr(size + 1)).size() == group - 1 &&
           isDigit(rest[size + 1])) {
        size += group;
    }
    return size;
}

bool isGrouped(std::string_view number, std::string_view rest) {
    constexpr std::size_t mostOfGroup = 3;
    const std::size_t size = groupedSize(rest);
    const bool isFirstGroup =
        number.size() <= mostOfGroup && std::all_of(number.begin(), number.end(), isDigit);
    const std::string_view behind = rest.substr(size);
    const bool isList = behind.size() > 1 && behind[0] == ',' && !isBlank(behind[1]);
    return size > 0 && isFirstGroup && !isList;
}

// Thousands and more, in front of a unit or without one.
bool hasPrefix(std::string_view rest) {
    return !rest.empty() && std::string_view("kKMGT").find(rest.front()) != std::string_view::npos;
}

}  // namespace

bool goesOn(std::string_view number, std::string_view rest) {
    return isGrouped(number, rest) || hasPrefix(rest);
}

std::string_view numberAt(std::string_view text) {
    const char* const end = text.data() + text.size();
    const char* const start = skipBlanks(text.data(), end);
    const std::string_view number(start, static_cast<std::size_t>(end - start));
    double ignored = 0;
    if (const std::size_t size = readPlain(number, ignored); size > 0) {
        return number.substr(0, size);
    }
    // Numbers out of range end where they end.
    return {start, static_cast<std::size_t>(std::from_chars(start, end, ignored).ptr - start)};
}

std::string_view integerAt(std::string_view text) {
    const char* const end = text.data() + text.size();
    const char* const start = skipBlanks(text.data(), end);
    const char* at = start;
    while (at != end && isDigit(*at)) {
        ++at;
    }
    return {start, static_cast<std::size_t>(at - start)};
}

NumberShape shapeOfNumber(std::string_view text, std::size_t before) {
    constexpr std::size_t most = 8;  // digits that are read at once: before the point, twice that behind it
    constexpr std::size_t mostExact = powersOfTen.size() - 1;  // see readPlain()
    const auto end = std::find_if_not(text.begin(), text.end(), isDigit);
    const auto whole = static_cast<std::size_t>(end - text.begin());
    const auto decimals = end == text.end() ? 0 : text.size() - whole - 1;
    const bool isPlain =
        end == text.end() || (*end == '.' && decimals > 0 && std::all_of(end + 1, text.end(), isDigit));
    const bool isShort = whole <= most && whole + decimals <= mostExact;
    if (!isPlain || !isShort || whole == 0 || before + whole < most) {
        return {};
    }
    if (decimals > most && before + text.size() < 2 * most) {
        return {};
    }
    NumberShape shape{static_cast<std::uint8_t>(whole), static_cast<std::uint8_t>(decimals)};
    if (decimals > 0 && text.size() <= most && before + text.size() >= most) {
        const auto size = static_cast<unsigned>(text.size());
        shape.decimalBytes = lastBytes(shape.decimals);
        shape.wholeBytes = lastBytes(size) & ~lastBytes(shape.decimals + 1U);
    }
    return shape;
}

std::optional<double> toNumberWithCare(std::string_view text) {
    const char* const end = text.data() + text.size();
    double value = 0;
    const auto [at, error] = std::from_chars(skipBlanks(text.data(), end), end, value);
    return error == std::errc{} && skipBlanks(at, end) == end ? std::optional(value) : std::nullopt;
}

}  // namespace dlperf::analysis
