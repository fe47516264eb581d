// SPDX-License-Identifier: Apache-2.0
// The logs of one run: launchers write one for each rank or node.
#pragma once

#include <vector>

#include "core/import/proposal.h"
#include "core/import/remarks.h"

namespace dlperf::imports {

// Of logs whose names differ only by the number of their rank or node ("rank0.log", "workerlog.1",
// "node0/train.log", torchrun's "attempt_0/3/stdout.log") keeps the first one that a format knows, as of runs
// that are launched from here, and names the others. Such numbers begin at 0 and are below those of the
// topology; what else ends in numbers are repetitions.
void keepFirstRanks(std::vector<Proposal>& proposals, Remarks& remarks);

}  // namespace dlperf::imports
