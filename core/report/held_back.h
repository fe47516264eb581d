// SPDX-License-Identifier: Apache-2.0
// Why some repetitions of a case are slower than the others, as far as their records tell: what held these
// back, and spared the others. Where nothing was recorded nothing is named.
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"

namespace dlperf::report {

// The slow ones are those below the widest gap between the figures of `runs`, which are of one case, in
// repetition order, and have figures. What held one of them back is named if it took a twentieth of its
// node's processors or of the time, and twice what it took of any other run; or if clocks were 5 % lower than
// in all others: "on node3 other processes, above all stress-ng, took 1.8 of 2 cores (repetitions 2, 5)".
// Empty where there is no such thing, or no record to compare with.
[[nodiscard]] std::vector<std::string> whatHeldSlowOnesBack(const std::vector<const RunResult*>& runs);

}  // namespace dlperf::report
