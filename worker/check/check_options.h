// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/options.h"

namespace dlperf::worker::check {

// What the command line said: the problem in dlperf-worker's own options, and what to do with it.
struct CheckOptions {
    Options worker;
    int steps = 0;    // 0: the gradients of one batch
    int batches = 1;  // that the steps go round
    bool frozenNorm = false;
    bool breakdown = false;  // what a step's time goes to, as a table on standard output, and nothing else
    std::string output;      // of the JSON; the gradients go beside it, in output + ".f32"
};

// Throws Failure(Usage).
CheckOptions parseCheckOptions(const std::vector<std::string>& arguments);

std::string checkHelp();

}  // namespace dlperf::worker::check
