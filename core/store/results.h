// SPDX-License-Identifier: Apache-2.0
// All results that a workspace holds, from the index, which follows the run folders.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/model/case.h"
#include "core/model/vocabulary.h"
#include "core/store/workspace.h"

namespace dlperf::store {

// Finished runs of the workspace (every outcome), notes, exclusions and changed ranges applied, ordered by
// campaign, case, repetition; of a run that was retried not the attempts without a figure that others
// followed. Brings W/results.sqlite up to date first (new, changed and vanished run folders; a broken index
// is rebuilt). A run folder that cannot be read is skipped and reported in `problems`.
struct StoredResults {
    std::vector<RunResult> results;
    std::vector<Error> problems;
};
[[nodiscard]] Result<StoredResults> readResults(const Workspace& workspace);

// Frameworks and implementations whose names differ by the case of letters alone are one: all get the
// spelling of an own run, or that which sorts first, of capitals. Those of one workspace have it already.
void joinSpellings(std::vector<RunResult>& some, std::vector<RunResult>& others);

// Published figures (resources/published/*.json) as results of origin Published; campaign = source. Every row
// is one result: figures of training time (kind "latency") are in milliseconds, their unit says so, and what
// makes networks of one name differ (vocab, …) is their variant.
[[nodiscard]] Result<std::vector<RunResult>> readPublished(const std::filesystem::path& file,
                                                           const Vocabulary& vocabulary);

}  // namespace dlperf::store
