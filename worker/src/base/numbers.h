// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dlperf::worker {

// Of a number that is not negative.
constexpr std::size_t asIndex(int value) {
    return static_cast<std::size_t>(value);
}

// The next multiple, as alignment wants it.
constexpr std::size_t roundedUp(std::size_t count, std::size_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

// The middle one, or of an even number the mean of the two in the middle. There is at least one.
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Of NVIDIA's 91900: "9.19.0".
inline std::string dotted(std::size_t version) {
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
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
