// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include "app/before_after.h"
#include "app/commands.h"
#include "app/throughput_table.h"
#include "core/base/file.h"
#include "core/measure/own_formats.h"
#include "core/report/strong_scaling.h"

namespace dlperf::app {
namespace {

Result<int> compare(const std::string& folder, bool byGlobalBatchSize) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(folder)));
    const auto vocabulary = TRY(readVocabulary());
    const auto stored = TRY(someResults("compare", workspace));
    const auto formats = TRY(measure::readFormats(workspace));
    printThroughputTable(std::cout,
                         byGlobalBatchSize ? report::byGlobalBatchSize(stored.results) : stored.results,
                         vocabulary, formats);
    TRY(flushOutput());
    return 0;
}

// All of a workspace, or two of something: what is asked for decides what else may be.
Result<int> compareOneOrTwo(const BeforeAfterOptions& options, bool isOfTwo, bool byGlobalBatchSize) {
    if (!options.before.empty() && !options.after.empty()) {
        return printBeforeAfter(options);
    }
    if (isOfTwo) {
        return fail("it takes two to compare before and after", {},
                    "Name both, dlperf compare BEFORE AFTER, or give --workspace alone for a table of all "
                    "that it has.");
    }
    if (options.workspace.empty()) {
        return fail("--workspace is required", {},
                    "Name a workspace by --workspace, or two folders of workspaces.");
    }
    return compare(options.workspace, byGlobalBatchSize);
}

}  // namespace

void addCompareCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("compare",
                                       "Print throughput and speedup of all that a workspace has, or what "
                                       "changed from one campaign to another");
    const auto options = std::make_shared<BeforeAfterOptions>();
    const std::array ofTwo{
        command
            ->add_option("BEFORE", options->before,
                         "A campaign or import of the workspace, by its id, its name or the id's beginning; "
                         "without --workspace the folder of a workspace")
            ->type_name("FOLDER"),
        command->add_option("AFTER", options->after, "What is held against it")->type_name("FOLDER"),
        command
            ->add_option("--fail-below", options->failBelow,
                         "End with 1 where a case is worse by more than this share, such as 2%, and its "
                         "runs differ, or cannot be judged")
            ->type_name("PERCENT"),
        command
            ->add_option("--json", options->json,
                         "Write before and after as JSON to this file, or - to standard output")
            ->type_name("FILE")};
    command->add_option("--workspace", options->workspace, "The folder with the runs")->type_name("FOLDER");
    const auto byGlobal = std::make_shared<bool>(false);
    auto* strong = command->add_flag("--strong-scaling", *byGlobal,
                                     "Series of one global batch size, that of all devices together");
    for (CLI::Option* option : ofTwo) {
        strong->excludes(option);
    }
    command->callback([options, ofTwo, byGlobal, &exitCode] {
        const bool isOfTwo =
            std::ranges::any_of(ofTwo, [](const CLI::Option* option) { return option->count() > 0; });
        exitCode = exitCodeOf("compare", compareOneOrTwo(*options, isOfTwo, *byGlobal));
    });
}

}  // namespace dlperf::app
