// SPDX-License-Identifier: Apache-2.0
#include "app/cli_import.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/import_output.h"
#include "app/import_progress.h"
#include "app/run_inputs.h"
#include "app/stop_on_signal.h"
#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/base/temporary_folder.h"
#include "core/import/import_logs.h"
#include "core/measure/own_formats.h"
#include "core/report/finding.h"

namespace dlperf::app {
namespace {

struct ImportOptions {
    std::string path;
    std::string workspace;
    std::string format;
    std::string formats;  // a file of the user's own
    std::string topology;
    std::string name;
    std::string json;  // a file, "-" for standard output, empty for none
    bool dryRun = false;
    imports::Corrections corrections;
};

// Of a workspace that may not be there yet.
Result<analysis::FormatBook> formatsThere(const ImportOptions& options) {
    const std::filesystem::path root = expandHome(options.workspace);
    std::error_code ignored;
    if (!std::filesystem::exists(root, ignored)) {
        return analysis::FormatBook();
    }
    const auto workspace = store::Workspace::openExisting(root);
    return workspace ? measure::readFormats(*workspace) : Failure(workspace.error());
}

Result<analysis::FormatBook> knownFormats(const ImportOptions& options) {
    auto there = formatsThere(options);
    if (!there || options.formats.empty()) {
        return there;
    }
    const auto added = analysis::readFormats(expandHome(options.formats));
    return added ? measure::withFormats(*there, *added, options.formats) : Failure(added.error());
}

Result<void> takeFormats(const ImportOptions& options, imports::ImportOptions& result) {
    auto known = knownFormats(options);
    if (!known) {
        return Failure(known.error());
    }
    result.formats = std::move(*known);
    if (options.format.empty()) {
        return {};
    }
    result.corrections.format = result.formats.find(options.format);
    return result.corrections.format != nullptr
               ? Result<void>()
               : fail("\"" + options.format + "\" is no known format", "--format",
                      "`dlperf formats --workspace W` lists them; --formats FILE adds your own.");
}

// All that can be refused before there is a workspace.
Result<imports::ImportOptions> importOptions(const ImportOptions& options) {
    imports::ImportOptions result;
    result.corrections = options.corrections;
    result.name = options.name;
    if (!options.name.empty() && !isPlainName(options.name)) {
        return fail("\"" + refusedName(options.name) + "\" cannot be a folder's name", "--name",
                    "Use letters, digits and . _ -");
    }
    if (!options.topology.empty()) {
        result.corrections.topology = parseTopology(options.topology);
        if (!result.corrections.topology) {
            return fail("\"" + options.topology + "\" is no topology", "--topology", "Write it like 2n8g.");
        }
    }
    const auto taken = takeFormats(options, result);
    return taken ? Result<imports::ImportOptions>(std::move(result)) : Failure(taken.error());
}

// Trying leaves nothing behind, not even a workspace.
struct Place {
    std::optional<TemporaryFolder> temporary;
    store::Workspace workspace;
};

Result<Place> openPlace(const ImportOptions& options) {
    const std::filesystem::path root = expandHome(options.workspace);
    std::error_code ignored;
    if (!options.dryRun || std::filesystem::exists(root, ignored)) {
        auto workspace = store::Workspace::open(root);
        return workspace ? Result<Place>(Place{{}, std::move(*workspace)}) : Failure(workspace.error());
    }
    auto temporary = TemporaryFolder::make("dlperf-import");
    if (!temporary) {
        return Failure(temporary.error());
    }
    auto workspace = store::Workspace::open(temporary->path());
    return workspace ? Result<Place>(Place{std::move(*temporary), std::move(*workspace)})
                     : Failure(workspace.error());
}

void printProblems(const std::vector<Error>& problems) {
    for (const Error& problem : problems) {
        std::cerr << "left out: " << printable(describe(problem)) << '\n';
    }
}

void printEnd(const imports::Imported& imported, const ImportOptions& options) {
    for (const RunFinding& finding : imported.findings) {
        std::cerr << "finding: "
                  << printable(finding.where + ": " + report::withWhy(finding.kind, finding.what)) << '\n';
    }
    printProblems(imported.problems);
    std::cerr << fmt::format("{} logs are in {}/logs/imported-{} now", imported.logs,
                             printable(options.workspace), imported.name);
    if (imported.withoutFigure > 0) {
        std::cerr << fmt::format(", {} of them end before their window does", imported.withoutFigure);
    }
    if (imported.duplicates > 0) {
        std::cerr << fmt::format("; {} were there already", imported.duplicates);
    }
    std::cerr << '\n';
}

Result<void> writeOutput(const ImportOptions& options, const imports::ImportPlan& plan,
                         const imports::Imported* imported) {
    if (options.json == "-") {
        std::cout << outcomeJson(plan, imported) << '\n';
    } else if (!options.json.empty()) {
        if (auto written = writeFileAtomically(expandHome(options.json), outcomeJson(plan, imported) + '\n');
            !written) {
            return written;
        }
    }
    std::cout.flush();
    return std::cout ? Result<void>()
                     : fail("the results cannot be written", "standard output", {}, ErrorKind::Work);
}

Result<int> tried(const ImportOptions& options, const imports::ImportPlan& plan) {
    printProblems(plan.remarks);
    if (auto written = writeOutput(options, plan, nullptr); !written) {
        return Failure(written.error());
    }
    const std::size_t wanted = plan.count(imports::Verdict::New);
    std::cerr << fmt::format("{} of {} logs would be imported as imported-{}\n", wanted,
                             plan.proposals.size(), plan.name);
    return wanted > 0 ? 0 : 1;
}

Result<int> saved(const ImportOptions& options, imports::ImportPlan& plan, const Place& place,
                  const Vocabulary& vocabulary, const std::stop_token& stop) {
    ImportProgressPrinter printer(::isatty(STDERR_FILENO) == 1);
    const auto imported =
        imports::saveImport(plan, place.workspace, vocabulary, stop,
                            [&](const imports::Progress& progress) { printer.show(progress); });
    printer.clear();
    if (auto written = writeOutput(options, plan, imported ? &*imported : nullptr); !written) {
        return Failure(written.error());
    }
    if (!imported) {
        printProblems(plan.remarks);
        return Failure(imported.error());
    }
    printEnd(*imported, options);
    return 0;
}

// The plan is seen before anything is written; Ctrl-C ends either.
Result<int> work(const ImportOptions& options) {
    const StopOnSignal signals;
    const auto settings = importOptions(options);
    const auto vocabulary = readVocabulary();
    if (!settings || !vocabulary) {
        return Failure(settings ? vocabulary.error() : settings.error());
    }
    const auto place = openPlace(options);
    if (!place) {
        return Failure(place.error());
    }
    ImportProgressPrinter printer(::isatty(STDERR_FILENO) == 1);
    const auto onProgress = [&](const imports::Progress& progress) { printer.show(progress); };
    auto plan = imports::planImport(expandHome(options.path), place->workspace, *vocabulary, *settings,
                                    signals.token(), onProgress);
    printer.clear();
    if (!plan) {
        return Failure(plan.error());
    }
    if (options.json != "-") {
        std::cout << planTable(*plan) << std::flush;
    }
    if (options.dryRun) {
        return tried(options, *plan);
    }
    return saved(options, *plan, *place, *vocabulary, signals.token());
}

void addCorrections(CLI::App& command, ImportOptions& options) {
    imports::Corrections& said = options.corrections;
    command.add_option("--format", options.format,
                       "The logs' format (see `dlperf formats`); found out log by log if not given");
    command.add_option("--formats", options.formats,
                       "A JSON file with formats of your own, as `dlperf formats --json` writes them; "
                       "the workspace keeps those that logs are of");
    command.add_option("--framework", said.framework,
                       "The logs' framework, where nothing says it or something says it wrong; as all below");
    command.add_option("--implementation", said.implementation,
                       "Their implementation, which names the framework too, like \"NGC PyTorch\"");
    command.add_option("--model", said.model, "Their model, like r50");
    command.add_option("--topology", options.topology, "Their nodes and devices per node, like 2n8g");
    command.add_option("--batch-size", said.batchSize, "Their samples per device")
        ->check(CLI::PositiveNumber);
    command.add_option("--precision", said.precision, "Their precision, like fp16");
}

}  // namespace

void addImportCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("import", "Take logs of elsewhere into a workspace, with their figures");
    const auto options = std::make_shared<ImportOptions>();
    command
        ->add_option("PATH", options->path,
                     "A folder of logs, an archive (.tar, .tar.gz, .tar.zst, .zip, .gz, .zst) or a log")
        ->required();
    command->add_option("--workspace", options->workspace, "The folder that they are copied into")
        ->required();
    addCorrections(*command, *options);
    command->add_option("--name", options->name,
                        "Import them as imported-NAME, beside what is there; else under a free name");
    command->add_flag("--dry-run", options->dryRun, "Show the plan and write nothing");
    command->add_option("--json", options->json,
                        "Write what became of each log to this file, or - to standard output");
    command->callback([options, &exitCode] {
        const auto ended = work(*options);
        exitCode = ended ? *ended : complain("import", ended.error());
    });
}

}  // namespace dlperf::app
