// SPDX-License-Identifier: Apache-2.0
#include "core/run/failures_alike.h"

#include <algorithm>

namespace dlperf::run {
namespace {

// Ports, process ids and times differ from run to run.
std::string withoutNumbers(std::string text) {
    std::erase_if(text, [](char letter) { return letter >= '0' && letter <= '9'; });
    return text;
}

}  // namespace

void FailuresAlike::take(const RunResult& run) {
    const std::string reason = withoutNumbers(run.reason);
    if (run.outcome != Outcome::Failed || reason != reason_) {
        cases_.clear();
    }
    if (run.outcome == Outcome::Failed) {
        reason_ = reason;
        cases_.push_back(run.benchmarkCase);
    }
}

bool FailuresAlike::reach(int most, const Case& next) const {
    if (most <= 0 || cases_.size() < static_cast<std::size_t>(most)) {
        return false;
    }
    const bool ofOneCase =
        std::ranges::all_of(cases_, [&](const Case& one) { return one == cases_.front(); });
    return !ofOneCase || next == cases_.front();
}

}  // namespace dlperf::run
