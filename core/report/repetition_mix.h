// SPDX-License-Identifier: Apache-2.0
// Whether runs that are folded into one figure were made of the same things and measured in the range that
// they were run with.
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/report/table.h"

namespace dlperf::report {

// "torch 2.1.0 (3 runs), 2.2.0 (2 runs); driver …" of what differs; empty where nothing does. A run that does
// not say differs from none.
[[nodiscard]] std::string versionMix(const std::vector<const RunResult*>& runs);

// Framework, part, version and how many runs had it.
[[nodiscard]] Table versionTable(const std::vector<RunResult>& runs, const Vocabulary& vocabulary);

// "20:120 -> 50:150, changed afterwards (3 runs)", one for each change; empty where the user changed none.
[[nodiscard]] std::string changedRange(const std::vector<const RunResult*>& runs);

}  // namespace dlperf::report
