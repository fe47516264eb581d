// SPDX-License-Identifier: Apache-2.0
// Which runs are not measured in the window that they were run with, in words.
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"

namespace dlperf::report {

// "20:120 -> 50:150, changed afterwards (3 runs)", one for each change; empty where the user changed none.
[[nodiscard]] std::string changedWindow(const std::vector<const RunResult*>& runs);

}  // namespace dlperf::report
