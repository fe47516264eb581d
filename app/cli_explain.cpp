// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/told.h"
#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/measure/own_formats.h"
#include "core/report/loss.h"

namespace dlperf::app {
namespace {

struct ExplainOptions {
    std::string workspace;
    std::string series;  // part of a title; empty: all
    std::string json;    // file, or -; empty: tables
};

Result<std::vector<report::SeriesLosses>> explainAll(const ExplainOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto vocabulary = TRY(readVocabulary());
    const auto stored = TRY(someResults("explain", workspace));
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::compare(stored.results, vocabulary, formats);
    std::vector<report::SeriesLosses> explained;
    for (const report::ComparedSeries& series : comparison.series) {
        if (lower(series.title).find(lower(options.series)) != std::string::npos) {
            explained.push_back(report::lossesIn(workspace, formats, series, stored.results));
        }
    }
    if (explained.empty()) {
        return fail(
            fmt::format("no series has \"{}\" in its title", options.series), {},
            "There are " + join(mapped(comparison.series, &report::ComparedSeries::title), ", ") + ".");
    }
    return explained;
}

Json toJson(const std::vector<report::SeriesLosses>& explained) {
    Json list = Json::array();
    for (const report::SeriesLosses& series : explained) {
        list.push_back(
            {{"series", series.title},
             {"campaign", series.campaign},
             {"losses", mapped(series.losses, [](const auto& loss) { return report::toJson(loss); })}});
    }
    return {{"series", list}};
}

void print(const report::Loss& loss) {
    std::cout << "  " << toString(loss.topology) << ": " << told(report::lossHeading(loss)) << '\n';
    std::string evidence;
    for (const report::LossPart& part : report::toldParts(loss)) {
        const std::string range = report::rangeText(part);
        std::cout << "    " << printable(report::shareText(part, terminalTranslation()))
                  << (range.empty() ? std::string() : " (" + told(range) + ")") << ": " << told(part.words)
                  << '\n';
        evidence = part.evidence.empty() ? evidence : part.evidence;
    }
    if (!evidence.empty()) {
        std::cout << "    " << told("Known from: " + evidence) << '\n';
    }
}

void print(const std::vector<report::SeriesLosses>& explained) {
    for (const report::SeriesLosses& series : explained) {
        std::cout << printable(series.title) << '\n';
        if (series.losses.empty()) {
            std::cout << "  " << told("Nothing to explain: it needs runs on 1n1g and on more devices")
                      << '\n';
        }
        for (const report::Loss& loss : series.losses) {
            print(loss);
        }
    }
}

Result<int> explain(const ExplainOptions& options) {
    const auto explained = TRY(explainAll(options));
    if (options.json.empty()) {
        print(explained);
        TRY(flushOutput());
    } else {
        TRY(writeOutput(options.json, toJson(explained).dump(2) + "\n"));
    }
    return 0;
}

}  // namespace

void addExplainCommand(CLI::App& app, int& exitCode) {
    auto* command =
        app.add_subcommand("explain", "Say where the throughput goes that more devices do not give");
    const auto options = std::make_shared<ExplainOptions>();
    command->add_option("--workspace", options->workspace, "The folder with the runs")
        ->type_name("FOLDER")
        ->required();
    command->add_option("--series", options->series, "Only those with this in their title")
        ->type_name("TEXT");
    command->add_option("--json", options->json, "Write JSON to this file, or to - for the terminal")
        ->type_name("FILE");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("explain", explain(*options)); });
}

}  // namespace dlperf::app
