// SPDX-License-Identifier: Apache-2.0
// dlperf analyze LOGDIR [--format F] [--warmup N] [--train N] [--json FILE|-] [--table md|csv]
// Data on standard output, findings on standard error; findings do not change the exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addAnalyzeCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
