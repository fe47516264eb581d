// SPDX-License-Identifier: Apache-2.0
// Whether runs that are folded into one figure were made of the same things.
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

}  // namespace dlperf::report
