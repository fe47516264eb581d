// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace dlperf::worker {

// Of a number that is not negative.
constexpr std::size_t asIndex(int value) {
    return static_cast<std::size_t>(value);
}

// The next multiple, as alignment wants it.
constexpr std::size_t roundedUp(std::size_t count, std::size_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

// A number that is all of the text.
template <typename Number>
std::optional<Number> numberIn(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

}  // namespace dlperf::worker
