// SPDX-License-Identifier: Apache-2.0
// The commands of `dlperf`, and what several of them share. Each adds itself to the command line; what it
// ends with becomes the program's exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run_inputs.h"
#include "core/analysis/format_book.h"
#include "core/run/node_run.h"
#include "core/store/results.h"

namespace dlperf::app {

void addFormatsCommand(CLI::App& app, int& exitCode);
void addAnalyzeCommand(CLI::App& app, int& exitCode);
void addImportCommand(CLI::App& app, int& exitCode);
void addClusterCommand(CLI::App& app, int& exitCode);
void addCheckCommand(CLI::App& app, int& exitCode);
void addBenchCommand(CLI::App& app, int& exitCode);
void addInitCommand(CLI::App& app, int& exitCode);
void addRecipesCommand(CLI::App& app, int& exitCode);
void addPlanCommand(CLI::App& app, int& exitCode);
void addPrepareCommand(CLI::App& app, int& exitCode);
void addRunCommand(CLI::App& app, int& exitCode);
void addStatusCommand(CLI::App& app, int& exitCode);
void addShowCommand(CLI::App& app, int& exitCode);
void addLogsCommand(CLI::App& app, int& exitCode);
void addCancelCommand(CLI::App& app, int& exitCode);
void addPauseCommand(CLI::App& app, int& exitCode);
void addResumeCommand(CLI::App& app, int& exitCode);
void addRetryCommand(CLI::App& app, int& exitCode);
void addCleanCommand(CLI::App& app, int& exitCode);
void addDeleteCommand(CLI::App& app, int& exitCode);
void addRestoreCommand(CLI::App& app, int& exitCode);
void addPsCommand(CLI::App& app, int& exitCode);
void addReapCommand(CLI::App& app, int& exitCode);
void addCompareCommand(CLI::App& app, int& exitCode);
void addExplainCommand(CLI::App& app, int& exitCode);
void addReportCommand(CLI::App& app, int& exitCode);
void addPublishCommand(CLI::App& app, int& exitCode);

// The plan as an argument, the others as options of the command; what was given goes into `inputs`, which
// outlives the command.
void addInputOptions(CLI::App& command, InputOptions& inputs);

// The nodes outside of any run, to look at what is on them; questions about logins are asked on the terminal.
[[nodiscard]] Result<std::vector<run::NodeRun>> openNodes(const std::vector<cluster::Node>& nodes);

// The built-in formats and those of the workspace's own; the built-in ones alone for an empty `folder`.
[[nodiscard]] Result<analysis::FormatBook> formatsOf(const std::string& folder);
// Null for an empty name. An Input error for one that is not known, with `remedy`.
[[nodiscard]] Result<const analysis::Format*> formatNamed(const analysis::FormatBook& formats,
                                                          const std::string& name, std::string remedy);

// All that the workspace has. Leaves no index in a folder that nothing was run in or imported to: whoever
// only looks may have named the wrong one.
[[nodiscard]] Result<store::StoredResults> resultsIn(const store::Workspace& workspace);
// The same; which files could not be read is told on standard error. A Work error where there is nothing.
[[nodiscard]] Result<store::StoredResults> someResults(const std::string& command,
                                                       const store::Workspace& workspace);

// Every command makes the folder that its output goes to.
[[nodiscard]] Result<void> makeFolderOf(const std::filesystem::path& file);
// Writes the text to the file, or to standard output for "-".
[[nodiscard]] Result<void> writeOutput(const std::string& file, const std::string& text);
// A Work error where standard output could not take all that was written to it.
[[nodiscard]] Result<void> flushOutput();

}  // namespace dlperf::app
