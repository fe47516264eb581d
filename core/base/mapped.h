// SPDX-License-Identifier: Apache-2.0
// A vector of what a function, or a member, gives of each element of a range.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <vector>

namespace dlperf {

template <class Range, class Of>
[[nodiscard]] auto mapped(Range&& range, Of of) {
    std::vector<std::decay_t<std::invoke_result_t<Of&, decltype(*std::begin(range))>>> results;
    results.reserve(static_cast<std::size_t>(std::size(range)));
    for (auto& one : range) {
        results.push_back(std::invoke(of, one));
    }
    return results;
}

}  // namespace dlperf
