// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"

namespace dlperf::worker {

// An option of a command line, `--name value` or `--name=value`.
struct Option {
    std::string_view name;
    std::string_view value;  // its name in the help; empty: a flag
    std::string_view help;
    // Sets what the option is for; returns what the value may be where it is not that.
    std::function<std::optional<std::string>(const std::string& text)> set;
};

// Throws Failure(Usage).
void parse(const std::vector<Option>& table, const std::vector<std::string>& arguments);
[[noreturn]] void refuse(const std::string& message);

// A line for each option.
std::string helpOn(const std::vector<Option>& table);

// What sets an option; `target` outlives it.

template <typename Target>
auto integer(Target& target, std::int64_t lowest, std::int64_t highest, std::int64_t step = 1) {
    return [=, &target](const std::string& text) -> std::optional<std::string> {
        const auto number = numberIn<std::int64_t>(text);
        if (number && *number >= lowest && *number <= highest && *number % step == 0) {
            target = static_cast<Target>(*number);
            return std::nullopt;
        }
        const std::string kind = step == 1 ? "a whole number" : "a multiple of " + std::to_string(step);
        return kind + " from " + std::to_string(lowest) + " to " + std::to_string(highest);
    };
}

// `below`: the limit itself is not allowed.
template <typename Target>
auto real(Target& target, double lowest, double below, const std::string& range) {
    return [=, &target](const std::string& text) -> std::optional<std::string> {
        const auto number = numberIn<double>(text);
        if (!number || !std::isfinite(*number) || *number < lowest || *number >= below) {
            return range;
        }
        target = *number;
        return std::nullopt;
    };
}

// `names` are those of the enumerators from 0 up.
template <typename Target, typename Names>
auto choice(Target& target, const Names& names) {
    return [&target, &names](const std::string& text) -> std::optional<std::string> {
        std::string all;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == text) {
                target = static_cast<Target>(i);
                return std::nullopt;
            }
            all.append(all.empty() ? "" : " or ").append(names[i]);
        }
        return all;
    };
}

inline auto path(std::string& target, const std::string& kind) {
    return [=, &target](const std::string& text) -> std::optional<std::string> {
        target = text;
        return text.empty() ? std::optional(kind) : std::nullopt;
    };
}

inline auto flag(bool& target) {
    return [&target](const std::string&) -> std::optional<std::string> {
        target = true;
        return std::nullopt;
    };
}

}  // namespace dlperf::worker
