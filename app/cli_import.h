// SPDX-License-Identifier: Apache-2.0
// dlperf import PATH --workspace W [--format F] [--framework ..] [--implementation ..] [--dry-run] [--json
// FILE|-] The plan on standard output, what was left out on standard error. 0 when a log was imported (with
// --dry-run: would be), 1 when none was, 2 for what cannot be read.
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addImportCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
