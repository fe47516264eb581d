// SPDX-License-Identifier: Apache-2.0
// Runs in a row that fail for the same reason: a wrong path, a module that is missing. More of them would
// tell nothing new.
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"

namespace dlperf::run {

class FailuresAlike {
public:
    // A run that ended. Reasons are alike where they differ in numbers alone.
    void take(const RunResult& run);
    // `most` of them failed alike, and the next run would too: they were of several cases, or of its own.
    [[nodiscard]] bool reach(int most, const Case& next) const;
    [[nodiscard]] std::size_t count() const { return cases_.size(); }

private:
    std::string reason_;
    std::vector<Case> cases_;  // of each such run
};

}  // namespace dlperf::run
