// SPDX-License-Identifier: Apache-2.0
// Where the time of the runs of a workspace went, as far as their logs tell.
#pragma once

#include "core/analysis/format_book.h"
#include "core/analysis/step_times.h"
#include "core/model/case.h"
#include "core/store/workspace.h"

namespace dlperf::measure {

// Empty where the log is missing, cannot be read or tells nothing.
[[nodiscard]] analysis::StepTimes readStepTimes(const store::Workspace& workspace,
                                                const analysis::FormatBook& formats, const RunResult& run);

}  // namespace dlperf::measure
