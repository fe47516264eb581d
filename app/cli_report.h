// SPDX-License-Identifier: Apache-2.0
// dlperf report --workspace W -o FILE [--title T]    the workspace's results as .md .html .csv .json
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

void addReportCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
