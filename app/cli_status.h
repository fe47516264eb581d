// SPDX-License-Identifier: Apache-2.0
// dlperf status --workspace W [--json]              what runs
// dlperf cancel --workspace W [--run ID]            ask the runner to stop, or to stop one run
// dlperf pause --workspace W                        start no further run until `dlperf resume`
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addStatusCommand(CLI::App& app, int& exitCode);
void addCancelCommand(CLI::App& app, int& exitCode);
void addPauseCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
