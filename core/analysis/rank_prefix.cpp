// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/rank_prefix.h"

#include <array>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

bool isRank(std::string_view text) {
    bool hasDigit = false;
    for (const char c : text) {
        if (!isDigit(c) && (c != ',' || !hasDigit)) {
            return false;
        }
        hasDigit = true;
    }
    return hasDigit;
}

// What follows the bracket; the line is none of ours without it.
std::string_view endOf(std::string_view rest) {
    constexpr std::array<std::string_view, 4> ends{"<stdout>: ", "<stderr>: ", "<stdout>:", "<stderr>:"};
    for (const std::string_view end : ends) {
        if (rest.starts_with(end)) {
            return end;
        }
    }
    return {};
}

}  // namespace

RankedLine withoutRank(std::string_view line) {
    constexpr std::size_t longest = 24;
    if (line.empty() || line.front() != '[') {
        return {line, {}};
    }
    const std::size_t close = line.substr(0, longest).find(']');
    if (close == std::string_view::npos) {
        return {line, {}};
    }
    std::string_view rank = line.substr(1, close - 1);
    const std::string_view rest = line.substr(close + 1);
    if (isRank(rank)) {
        const std::string_view end = endOf(rest);
        return end.empty() ? RankedLine{line, {}} : RankedLine{rest.substr(end.size()), rank};
    }
    for (const std::string_view word : {std::string_view("rank"), std::string_view("default")}) {
        if (!rank.starts_with(word) || !isRank(rank.substr(word.size())) || !rest.starts_with(':')) {
            continue;
        }
        rank.remove_prefix(word.size());
        return {rest.substr(rest.starts_with(": ") ? 2 : 1), rank};
    }
    return {line, {}};
}

}  // namespace dlperf::analysis
