// SPDX-License-Identifier: Apache-2.0
#include "core/diagnosis/pace.h"

#include <algorithm>
#include <cmath>

namespace dlperf::diagnosis {
namespace {

constexpr std::size_t kept = 20;  // iterations

}  // namespace

void Pace::add(std::span<const analysis::Iteration> iterations) {
    last_.insert(last_.end(), iterations.begin(), iterations.end());
    last_.erase(last_.begin(), last_.end() - static_cast<std::ptrdiff_t>(std::min(last_.size(), kept)));
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
    for (const analysis::Iteration& one : last_) {
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

}  // namespace dlperf::diagnosis
