// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/analyze.h"
#include "core/analysis/format_json.h"
#include "core/analysis/json_table.h"
#include "core/analysis/line_reader.h"
#include "core/base/file.h"
#include "core/diagnosis/log_end.h"
#include "core/report/analysis_report.h"
#include "core/report/finding.h"

namespace dlperf::app {
namespace {

struct AnalyzeOptions {
    std::string folder;
    std::string format;
    std::string formats;  // a file of the user's own
    std::optional<int> warmup;
    std::optional<int> train;
    std::string json;   // a file, "-" for standard output, empty for none
    std::string table;  // "md", "csv" or empty
};

Result<analysis::FormatBook> knownFormats(const AnalyzeOptions& options) {
    if (options.formats.empty()) return analysis::FormatBook();
    auto own = analysis::readFormats(expandHome(options.formats));
    return own ? Result<analysis::FormatBook>(analysis::FormatBook(std::move(*own))) : Failure(own.error());
}

Result<analysis::Analysis> analyze(const AnalyzeOptions& options) {
    const auto known = knownFormats(options);
    if (!known) return Failure(known.error());
    analysis::Reading reading;
    reading.formats = *known;
    reading.warmup = options.warmup;
    reading.train = options.train;
    const auto format =
        formatNamed(*known, options.format, "`dlperf formats` lists them; --formats FILE adds your own.");
    if (!format) return Failure(format.error());
    reading.format = *format;
    return analysis::analyzeFolder(expandHome(options.folder), reading);
}

// Which formats were found, and by what: one line for the first log of each.
void printFormats(const analysis::Analysis& analysis) {
    std::map<const analysis::Format*, int> counts;
    for (const analysis::AnalyzedLog& log : analysis.logs) {
        ++counts[log.format];
    }
    for (const analysis::AnalyzedLog& log : analysis.logs) {
        const auto count = counts.find(log.format);
        if (log.why.empty() || count == counts.end()) continue;
        std::cerr << told(fmt::format("format: {} ({} log{}): {}, {}", name(*log.format), count->second,
                                      count->second == 1 ? "" : "s", log.file, log.why))
                  << '\n';
        counts.erase(count);
    }
}

void printFinding(const std::string& where, const std::string& what) {
    std::cerr << told("finding: " + where + ": " + what) << '\n';
}

// Of logs without a figure: what ended their trainers, as an import says it.
Result<void> printTroubles(const analysis::Analysis& analysis, const std::filesystem::path& folder) {
    const auto rules = TRY(diagnosis::readRules());
    std::map<const analysis::Format*, std::unique_ptr<analysis::LineScanner>> scanners;
    for (const analysis::AnalyzedLog& log : analysis.logs) {
        if (log.figure.value || !log.figure.hasLines) {
            continue;
        }
        auto& scanner = scanners[log.format];
        if (!scanner) {
            scanner = std::make_unique<analysis::LineScanner>(*log.format);
        }
        const auto end = diagnosis::endOf(rules, *scanner, folder / log.file);
        if (end && !end->trouble.empty()) {
            const std::string cause =
                end->hints.empty() ? "" : ". " + end->hints.front().what + " " + end->hints.front().remedy;
            printFinding(log.file, end->trouble + cause);
        }
    }
    return {};
}

// First what single logs say, then what repetitions and series do.
void printFindings(const analysis::Analysis& analysis) {
    for (const analysis::Finding& finding : analysis.findings) {
        printFinding(finding.where, report::withWhy(finding.kind, finding.what));
    }
    // Only titles of other series come out of the vocabulary: without it they are ids.
    for (const analysis::Finding& finding :
         report::findingsBetween(analysis, readVocabulary().value_or(Vocabulary()))) {
        printFinding(finding.where, finding.what);
    }
}

Result<void> writeResults(const analysis::Analysis& analysis, const AnalyzeOptions& options) {
    if (!options.json.empty()) {
        const std::string newline = options.json == "-" ? "\n" : "";
        if (auto written = writeOutput(options.json, analysis::toJson(analysis) + newline); !written)
            return written;
    }
    if (options.table == "md") {
        std::cout << report::toMarkdown(report::tableOf(analysis));
    } else if (options.table == "csv") {
        std::cout << report::toCsv(report::tableOf(analysis));
    } else if (options.json.empty()) {
        std::cout << report::toTerminal(report::translated(report::tableOf(analysis), terminalTranslation()));
    }
    return flushOutput();
}

int run(const AnalyzeOptions& options) {
    const auto analysis = analyze(options);
    if (!analysis) return complain("analyze", analysis.error());
    printFormats(*analysis);
    printFindings(*analysis);
    if (const auto told = printTroubles(*analysis, expandHome(options.folder)); !told)
        return complain("analyze", told.error());
    if (const auto written = writeResults(*analysis, options); !written)
        return complain("analyze", written.error());
    // A script must not take nothing for a result.
    return std::ranges::any_of(analysis->logs, [](const auto& log) { return log.figure.value.has_value(); })
               ? 0
               : 1;
}

}  // namespace

void addAnalyzeCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("analyze", "Turn a folder of logs into throughput and speedup");
    const auto options = std::make_shared<AnalyzeOptions>();
    command->add_option("LOGDIR", options->folder, "The folder that holds folders like 1n1g, with logs")
        ->type_name("FOLDER")
        ->required();
    command->add_option("--format", options->format,
                        "The logs' format (see `dlperf formats`); found out if not given");
    command
        ->add_option("--formats", options->formats,
                     "A JSON file with formats of your own, as `dlperf formats --json` writes them")
        ->type_name("FILE");
    command->add_option("--warmup", options->warmup, "Iterations before the measurement range");
    command->add_option("--train", options->train, "Number of the last measured iteration");
    command->add_option("--json", options->json, "Write DLPerf's JSON to this file, or - to standard output")
        ->type_name("FILE");
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
