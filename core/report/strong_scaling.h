// SPDX-License-Identifier: Apache-2.0
// Strong scaling: what more devices make of the same batch. A comparison sets devices beside each other that
// have the same batch size each (weak scaling); here the batch size of all of them together is the same.
#pragma once

#include <vector>

#include "core/model/case.h"

namespace dlperf::report {

// By which a case is told whose batch size is that of all devices together; its batch size per device is then
// unknown, for it differs along the series.
inline constexpr const char* globalBatchSizeSetting = "global_batch_size";

// The results as compare() makes series of them whose global batch size is the same; those that have one.
[[nodiscard]] std::vector<RunResult> byGlobalBatchSize(std::vector<RunResult> results);

}  // namespace dlperf::report
