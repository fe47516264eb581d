// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/throughput_table.h"
#include "core/base/file.h"
#include "core/measure/own_formats.h"

namespace dlperf::app {
namespace {

Result<int> compare(const std::string& folder) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(folder)));
    const auto vocabulary = TRY(readVocabulary());
    const auto stored = TRY(someResults("compare", workspace));
    const auto formats = TRY(measure::readFormats(workspace));
    printThroughputTable(std::cout, stored.results, vocabulary, formats);
    TRY(flushOutput());
    return 0;
}

}  // namespace

void addCompareCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("compare", "Print throughput and speedup of all that a workspace has");
    const auto workspace = std::make_shared<std::string>();
    command->add_option("--workspace", *workspace, "The folder with the runs")
        ->type_name("FOLDER")
        ->required();
    command->callback([workspace, &exitCode] { exitCode = exitCodeOf("compare", compare(*workspace)); });
}

}  // namespace dlperf::app
