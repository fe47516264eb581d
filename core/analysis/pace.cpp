// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/pace.h"

#include <algorithm>
#include <cmath>

namespace dlperf::analysis {
namespace {

constexpr std::size_t kept = 20;  // iterations

}  // namespace

void Pace::add(const Iteration& iteration) {
    if (last_.size() == kept) {
        last_.pop_front();
    }
    last_.push_back(iteration);
}

double Pace::usual() const {
    if (last_.size() < 2) {
        return 0;
    }
    double seconds = 0;
    for (std::size_t i = 1; i < last_.size(); ++i) {
        const auto step = static_cast<double>(last_[i].number - last_[i - 1].number);
        seconds += last_[i].seconds.value_or(0) * std::max(1.0, step);
    }
    return seconds / static_cast<double>(last_.size() - 1);
}

std::optional<double> Pace::secondsUntil(std::int64_t iteration) const {
    double seconds = 0;
    int count = 0;
    for (const Iteration& one : last_) {
        if (one.seconds && std::isfinite(*one.seconds)) {  // a log may say "time inf"
            seconds += *one.seconds;
            ++count;
        }
    }
    if (last_.size() < 2 || count == 0 || last_.back().number > iteration) {
        return std::nullopt;
    }
    const double left = seconds / count * static_cast<double>(iteration - last_.back().number);
    return left >= 0 && std::isfinite(left) ? std::optional(left) : std::nullopt;
}

}  // namespace dlperf::analysis
