// SPDX-License-Identifier: Apache-2.0
#include "core/report/running_median.h"

namespace dlperf::report {

void RunningMedian::add(double figure) {
    lower_.push(figure);
    upper_.push(lower_.top());
    lower_.pop();
    if (upper_.size() > lower_.size()) {
        lower_.push(upper_.top());
        upper_.pop();
    }
}

std::optional<double> RunningMedian::value() const {
    if (lower_.empty()) {
        return std::nullopt;
    }
    return lower_.size() > upper_.size() ? lower_.top() : (lower_.top() + upper_.top()) / 2;
}

}  // namespace dlperf::report
