// SPDX-License-Identifier: Apache-2.0
// The subcommands of `dlperf bench`, and what they share.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "app/bench_runs.h"
#include "core/base/json.h"
#include "core/report/hardware.h"

namespace dlperf::app {

void addComputeMeasurement(CLI::App& bench, int& exitCode);
void addDataMeasurement(CLI::App& bench, int& exitCode);

struct BenchWords {
    std::string cluster;
    std::string workspace;
    std::string json;  // file, or -; empty: tables alone
    bool acceptNew = false;
    bool answers = false;  // from the window: nobody is asked here
};

// A subcommand with the options that all have. `kept`: what the help says of the workspace.
CLI::App& addMeasurement(CLI::App& bench, const std::string& name, const std::string& help,
                         const std::string& kept, BenchWords& words);

[[nodiscard]] Result<BenchOptions> benchOptionsOf(const BenchWords& words);

// In the terminal's language.
[[nodiscard]] std::string toldTable(const report::Table& english);
// Notes and slow ones, each below an empty line.
void printBelow(const report::HardwarePart& part);

// Prints, unless JSON goes to standard output, writes the JSON where that is asked for, and tells what is
// missing. The exit code: 1 where something is.
[[nodiscard]] Result<int> endBench(const BenchWords& words, const std::function<void()>& print,
                                   const Json& json, const std::vector<report::MissingPart>& missing);

}  // namespace dlperf::app
