// SPDX-License-Identifier: Apache-2.0
// The lines that a real training writes: start-up chatter of NCCL, iterations, now and then a warning or a
// progress bar.
#pragma once

#include <cstdint>
#include <string>

namespace dlperf::bench {

// Line `number` from 0, with its end. Of iterations one in 100,000 holds "loss spike".
void appendTrainingLine(std::string& text, std::uint64_t number, int node);

}  // namespace dlperf::bench
