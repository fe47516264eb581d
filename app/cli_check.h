// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace dlperf::app {

// dlperf check CLUSTER.json: whether the nodes are fit to run, each and together.
void addCheckCommand(CLI::App& app, int& exitCode);

}  // namespace dlperf::app
