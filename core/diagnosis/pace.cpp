// SPDX-License-Identifier: Apache-2.0
#include "core/diagnosis/pace.h"

#include <algorithm>

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

}  // namespace dlperf::diagnosis
