// SPDX-License-Identifier: Apache-2.0
// What went wrong and what helps, below the line of the run it is about.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/diagnose.h"

namespace dlperf::app {

// Lines that each begin with a line end and the indentation; empty without hints.
[[nodiscard]] std::string hintLines(const std::vector<diagnosis::Hint>& hints,
                                    const std::string& indentation);

}  // namespace dlperf::app
