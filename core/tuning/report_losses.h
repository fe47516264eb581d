// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/report/report.h"

namespace dlperf::tuning {

// Adds to a report where its series lose throughput, as the logs and measurements of the workspace tell, and
// what to try against the loss of each one's largest topology, with the answers that the workspace has.
void addLosses(report::Report& report, const store::Workspace& workspace, const Vocabulary& vocabulary,
               const analysis::FormatBook& formats);

}  // namespace dlperf::tuning
