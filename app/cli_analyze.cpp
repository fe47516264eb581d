// SPDX-License-Identifier: Apache-2.0
#include "app/cli_analyze.h"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "app/run_inputs.h"
#include "core/analysis/analyze.h"
#include "core/analysis/json_table.h"
#include "core/base/file.h"
#include "core/report/analysis_table.h"

namespace dlperf::app {
namespace {

struct AnalyzeOptions {
    std::string folder;
    std::string format;
    std::optional<int> warmup;
    std::optional<int> train;
    std::string json;   // a file, "-" for standard output, empty for none
    std::string table;  // "md", "csv" or empty
};

Result<const analysis::Format*> chooseFormat(const AnalyzeOptions& options) {
    if (options.format.empty()) return analysis::detectFormat(expandHome(options.folder));
    if (const auto* format = analysis::findFormat(options.format)) return format;
    return fail("\"" + options.format + "\" is no known format", "--format", "`dlperf formats` lists them.");
}

Result<analysis::Analysis> analyze(const AnalyzeOptions& options) {
    const auto format = chooseFormat(options);
    if (!format) return Failure(format.error());
    Window window = analysis::defaultWindow(**format);
    window.warmup = options.warmup.value_or(window.warmup);
    window.train = options.train.value_or(window.train);
    return analysis::analyzeFolder(expandHome(options.folder), **format, window);
}

void printFindings(const analysis::Analysis& analysis) {
    for (const analysis::Finding& finding : analysis.findings) {
        std::cerr << "finding: " << printable(finding.where + ": " + finding.what) << '\n';
    }
}

Result<void> writeResults(const analysis::Analysis& analysis, const AnalyzeOptions& options) {
    if (options.json == "-") {
        std::cout << analysis::toJson(analysis) << '\n';
    } else if (!options.json.empty()) {
        if (auto written = writeFileAtomically(expandHome(options.json), analysis::toJson(analysis));
            !written)
            return written;
    }
    if (options.table == "md") {
        std::cout << report::toMarkdown(report::tableOf(analysis));
    } else if (options.table == "csv") {
        std::cout << report::toCsv(report::tableOf(analysis));
    } else if (options.json.empty()) {
        std::cout << report::toTerminal(report::tableOf(analysis));
    }
    std::cout.flush();
    if (!std::cout) return fail("the results cannot be written", "standard output", {}, ErrorKind::Work);
    return {};
}

int run(const AnalyzeOptions& options) {
    const auto analysis = analyze(options);
    if (!analysis) {
        std::cerr << "dlperf analyze: " << describe(analysis.error()) << '\n';
        return exitCode(analysis.error());
    }
    printFindings(*analysis);
    if (const auto written = writeResults(*analysis, options); !written) {
        std::cerr << "dlperf analyze: " << describe(written.error()) << '\n';
        return exitCode(written.error());
    }
    return 0;
}

}  // namespace

void addAnalyzeCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("analyze", "Turn a folder of logs into throughput and speedup");
    const auto options = std::make_shared<AnalyzeOptions>();
    command->add_option("LOGDIR", options->folder, "The folder that holds folders like 1n1g, with logs")
        ->required();
    command->add_option("--format", options->format,
                        "The logs' format (see `dlperf formats`); found out if not given");
    command->add_option("--warmup", options->warmup, "Iterations before the measured window");
    command->add_option("--train", options->train, "Number of the last iteration of the window");
    command->add_option("--json", options->json, "Write DLPerf's JSON to this file, or - to standard output");
    command->add_option("--table", options->table, "Print a table for documents")
        ->check(CLI::IsMember({"md", "csv"}));
    command->callback([options, &exitCode] {
        if (options->json == "-" && !options->table.empty()) {
            throw CLI::ValidationError("--table", "standard output holds one thing: give --json a file");
        }
        exitCode = run(*options);
    });
}

}  // namespace dlperf::app
