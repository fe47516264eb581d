// SPDX-License-Identifier: Apache-2.0
#include "core/base/names.h"

#include <algorithm>

#include "core/base/text.h"

namespace dlperf {
namespace {

constexpr std::size_t longestName = 64;

bool isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

bool isPlainName(std::string_view text) {
    const auto plain = [](char c) { return isLetter(c) || isDigit(c) || c == '.' || c == '_' || c == '-'; };
    return !text.empty() && text.size() <= longestName && text.front() != '.' && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), plain);
}

bool isVariableName(std::string_view text) {
    const auto plain = [](char c) { return isLetter(c) || isDigit(c) || c == '_'; };
    return !text.empty() && !isDigit(text.front()) && std::all_of(text.begin(), text.end(), plain);
}

std::string refusedName(std::string_view text) {
    return cleanUtf8(text.substr(0, longestName)) + (text.size() > longestName ? "…" : "");
}

bool hasNul(std::string_view text) {
    return text.find('\0') != std::string_view::npos;
}

}  // namespace dlperf
