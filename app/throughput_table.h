// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"

namespace dlperf::app {

// Throughput and speedup by series and topology, and what is to be told of the comparison: the end of `dlperf
// run`.
void printThroughputTable(std::ostream& out, const std::vector<RunResult>& results,
                          const Vocabulary& vocabulary, const analysis::FormatBook& formats);

}  // namespace dlperf::app
