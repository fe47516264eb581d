// SPDX-License-Identifier: Apache-2.0
// The logs of one run: launchers write one for each rank or node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/import/proposal.h"
#include "core/import/remarks.h"

namespace dlperf::imports {

// Of logs whose names differ only by the number of their rank or node ("rank0.log", "workerlog.1",
// "node0/train.log", torchrun's "attempt_0/3/stdout.log") keeps the first one that a format knows, as of runs
// that are launched from here, and names the others. Such numbers begin at 0 and are below those of the
// topology; what else ends in numbers are repetitions.
void keepFirstRanks(std::vector<Proposal>& proposals, Remarks& remarks);

// Which start of which run a log is of, where torchrun's folder "attempt_1" says it.
struct Attempt {
    std::string run;  // the log's name without the number
    int number = 0;
};
[[nodiscard]] std::optional<Attempt> attemptOf(const std::vector<std::string>& parts);

}  // namespace dlperf::imports
