// SPDX-License-Identifier: Apache-2.0
// How long a case may take, from the finished runs of the workspace.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>

#include "core/model/case.h"

namespace dlperf::launch {

class ExpectedTimes {
public:
    ExpectedTimes() = default;
    explicit ExpectedTimes(std::span<const RunResult> own);

    // The median of the same case, else of the same one on another topology; nothing without any.
    [[nodiscard]] std::optional<std::chrono::seconds> of(const Case& benchmarkCase) const;

private:
    std::map<Case, std::chrono::seconds> cases_;
    std::map<Configuration, std::chrono::seconds> configurations_;
};

}  // namespace dlperf::launch
