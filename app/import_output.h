// SPDX-License-Identifier: Apache-2.0
// The plan of an import as a table, and its outcome as JSON.
#pragma once

#include <string>

#include "core/import/import_logs.h"

namespace dlperf::app {

// One row a log: what it is, why, its case, what is missing and what becomes of it.
[[nodiscard]] std::string planTable(const imports::ImportPlan& plan);

// {"name": …, "imported": n, "duplicates": n, "logs": [{"log": …, "verdict": …, …}], "left_out": [texts]};
// `imported` is null where nothing was saved.
[[nodiscard]] std::string outcomeJson(const imports::ImportPlan& plan, const imports::Imported* imported);

}  // namespace dlperf::app
