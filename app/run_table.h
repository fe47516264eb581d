// SPDX-License-Identifier: Apache-2.0
// Throughput and speedup of a campaign, for the end of `dlperf run`.
#pragma once

#include <ostream>
#include <vector>

#include "core/model/case.h"
#include "core/model/vocabulary.h"

namespace dlperf::app {

void printThroughputTable(std::ostream& out, const std::vector<RunResult>& results,
                          const Vocabulary& vocabulary);

}  // namespace dlperf::app
