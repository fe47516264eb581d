// SPDX-License-Identifier: Apache-2.0
// The median of all figures so far, in logarithmic time for each.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace dlperf::report {

class RunningMedian {
public:
    // Finite.
    void add(double figure);
    // Nothing before the first figure.
    [[nodiscard]] std::optional<double> value() const;

private:
    std::priority_queue<double> lower_;  // its top is the largest of the smaller half
    std::priority_queue<double, std::vector<double>, std::greater<>> upper_;
};

}  // namespace dlperf::report
