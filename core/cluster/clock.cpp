// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/clock.h"

#include <charconv>
#include <cmath>

#include "core/base/text.h"

namespace dlperf::cluster {

std::optional<Clock> clockOf(std::string_view printed, double asked, double answered) {
    const std::string_view text = trim(printed);
    double time = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (error != std::errc() || !std::isfinite(time)) {
        return std::nullopt;
    }
    const bool isWhole = time == std::floor(time);
    return Clock{time - (asked + answered) / 2, (answered - asked) / 2 + (isWhole ? 1 : 0)};
}

}  // namespace dlperf::cluster
