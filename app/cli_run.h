// SPDX-License-Identifier: Apache-2.0
// dlperf run PLAN.json [--cluster C] --workspace W [--recipes DIR] [--detach] [--accept-new]
// dlperf resume --workspace W
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addRunCommand(CLI::App& app, int& exitCode);
// Goes on after a crash; lets a paused runner continue.
void addResumeCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
