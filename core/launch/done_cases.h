// SPDX-License-Identifier: Apache-2.0
// Which cases of a plan have their repetitions already. Excluded runs and runs without a figure do not count.
#pragma once

#include <span>

#include "core/launch/plan.h"
#include "core/launch/prepare.h"

namespace dlperf::launch {

// Cases of the plan that have as many good runs as it asks for, with its options as they stand now.
[[nodiscard]] std::size_t doneCases(const PreparedPlan& prepared, std::span<const RunResult> results);
// The plan without these cases, the others as often as they still need. With none left it stays whole.
[[nodiscard]] Plan withoutDoneCases(Plan plan, const PreparedPlan& prepared,
                                    std::span<const RunResult> results);

}  // namespace dlperf::launch
