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
#include "core/measure/read_times.h"
#include "core/report/loss.h"
#include "core/report/numbers.h"

namespace dlperf::app {
namespace {

struct ExplainOptions {
    std::string workspace;
    std::string series;  // part of a title; empty: all
    std::string json;    // file, or -; empty: tables
};

struct ExplainedSeries {
    std::string title;
    std::vector<report::Loss> losses;
};

std::vector<report::Loss> lossesOf(const report::ComparedSeries& series, const store::Workspace& workspace,
                                   const std::vector<RunResult>& results,
                                   const analysis::FormatBook& formats) {
    return report::lossesOf(mapped(report::runsOf(series, results), [&](const RunResult* run) {
        return report::TimedRun{run, measure::readStepTimes(workspace, formats, *run)};
    }));
}

Result<std::vector<ExplainedSeries>> explainAll(const ExplainOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto vocabulary = TRY(readVocabulary());
    const auto stored = TRY(someResults("explain", workspace));
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::compare(stored.results, vocabulary, formats);
    std::vector<ExplainedSeries> explained;
    for (const report::ComparedSeries& series : comparison.series) {
        if (lower(series.title).find(lower(options.series)) != std::string::npos) {
            explained.push_back({series.title, lossesOf(series, workspace, stored.results, formats)});
        }
    }
    if (explained.empty()) {
        return fail(
            fmt::format("no series has \"{}\" in its title", options.series), {},
            "There are " + join(mapped(comparison.series, &report::ComparedSeries::title), ", ") + ".");
    }
    return explained;
}

Json toJson(const std::vector<ExplainedSeries>& explained) {
    Json list = Json::array();
    for (const ExplainedSeries& series : explained) {
        list.push_back({{"series", series.title}, {"losses", mapped(series.losses, [](const auto& loss) {
                                                       return report::toJson(loss);
                                                   })}});
    }
    return {{"series", list}};
}

void print(const report::LossPart& part) {
    const std::string range =
        part.range ? fmt::format(" ({})", told(fmt::format("{} to {}", report::percent(part.range->low),
                                                           report::percent(part.range->high))))
                   : std::string();
    std::cout << fmt::format("    {:>8}{}  {}: {}\n", report::percent(part.share), range,
                             told(report::titleOf(part.cause)), told(part.words));
    if (!part.evidence.empty()) {
        std::cout << fmt::format("              {}\n", told("Known from: " + part.evidence));
    }
}

void print(const std::vector<ExplainedSeries>& explained) {
    for (const ExplainedSeries& series : explained) {
        std::cout << printable(series.title) << '\n';
        if (series.losses.empty()) {
            std::cout << "  " << told("Nothing to explain: it needs runs on 1n1g and on more devices")
                      << '\n';
        }
        for (const report::Loss& loss : series.losses) {
            std::cout << "  " << toString(loss.topology) << ": " << told(report::lossHeading(loss)) << '\n';
            for (const report::LossPart& part : loss.parts) {
                print(part);
            }
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
