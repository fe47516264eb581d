// SPDX-License-Identifier: Apache-2.0
// What both programs share around their work: the command line's end and the last line of defence.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>

namespace dlperf::app {

// Parses; the exit code where that already ends the program: --help and --version 0, wrong usage 2.
[[nodiscard]] std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv);

// The work's exit code; 1 with a line on standard error for an exception that escaped it.
[[nodiscard]] int guarded(const char* program, const std::function<int()>& work);

}  // namespace dlperf::app
