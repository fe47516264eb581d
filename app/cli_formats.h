// SPDX-License-Identifier: Apache-2.0
// dlperf formats [--json]: the log formats that the program knows.
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addFormatsCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
