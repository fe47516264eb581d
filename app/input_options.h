// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "app/run_inputs.h"

namespace dlperf::app {

// The plan as an argument, the others as options of the command; what was given goes into `inputs`, which
// outlives the command.
void addInputOptions(CLI::App& command, InputOptions& inputs);

}  // namespace dlperf::app
