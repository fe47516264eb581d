// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/number.h"

#include <charconv>

namespace dlperf::analysis {
namespace {

const char* skipBlanks(const char* at, const char* end) {
    while (at != end && (*at == ' ' || *at == '\t')) {
        ++at;
    }
    return at;
}

}  // namespace

std::string_view numberAt(std::string_view text) {
    const char* const end = text.data() + text.size();
    const char* const start = skipBlanks(text.data(), end);
    const std::string_view number(start, static_cast<std::size_t>(end - start));
    double ignored = 0;
    if (const std::size_t size = readPlain(number, ignored); size > 0) return number.substr(0, size);
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

std::optional<double> toNumberWithCare(std::string_view text) {
    const char* const end = text.data() + text.size();
    double value = 0;
    const auto [at, error] = std::from_chars(skipBlanks(text.data(), end), end, value);
    return error == std::errc{} && skipBlanks(at, end) == end ? std::optional(value) : std::nullopt;
}

}  // namespace dlperf::analysis
