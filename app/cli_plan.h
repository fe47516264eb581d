// SPDX-License-Identifier: Apache-2.0
// dlperf plan PLAN.json [--cluster C] [--recipes DIR] [--json]
// Lists the runs and the exact script and environment that each node gets; starts nothing.
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addPlanCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
