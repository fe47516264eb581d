// SPDX-License-Identifier: Apache-2.0
// A source may print the same case several times, from logs of different days.
#pragma once

#include <string>
#include <vector>

#include "core/model/case.h"

namespace dlperf::store {

// A published row on its way to a result, with the part of its source that it stands in.
struct PublishedRow {
    RunResult result;
    std::string printout;  // empty for tables; else the log root or the heading of the printed repetitions
    bool folded = false;   // the printout comes with its fold
};

// Tables come first, then printouts that come with their fold, then the others in file order. What a printout
// says of one subject becomes a campaign of its own ("source, printout") when it contradicts what came
// before, or when its median is not the one that is quoted, so that days are never mixed in one median.
void separatePrintouts(std::vector<PublishedRow>& rows);

}  // namespace dlperf::store
