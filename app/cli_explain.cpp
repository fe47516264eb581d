// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "app/commands.h"
#include "app/told.h"
#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/printed_json.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/measure/own_formats.h"
#include "core/report/loss.h"
#include "core/store/names.h"
#include "core/store/results.h"
#include "core/tuning/experiments.h"

namespace dlperf::app {
namespace {

struct ExplainOptions {
    std::string workspace;
    std::string series;       // part of a title; empty: all
    bool published = false;   // published figures too
    bool throughput = false;  // in words: images/s instead of percent
    std::string plans;        // folder for the plans of what to try; empty: none are written
    std::string json;         // file, or -; empty: tables
};

struct Explained {
    report::SeriesLosses losses;
    std::vector<tuning::Tried> tried;
};

Result<std::vector<Explained>> explainAll(const ExplainOptions& options) {
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto vocabulary = TRY(readVocabulary());
    auto stored = TRY(someResults("explain", workspace));
    if (options.published) {
        const auto file = TRY(resourceFolder()) / "published" / "dlperf.json";
        auto published = TRY(store::readPublished(file, vocabulary));
        stored.results.insert(stored.results.end(), std::move_iterator(published.begin()),
                              std::move_iterator(published.end()));
    }
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::compare(stored.results, vocabulary, formats);
    if (comparison.series.empty()) {
        return fail("nothing here has a figure", workspace.root().string(),
                    "Run a plan with `dlperf run`, or take logs in with `dlperf import`.");
    }
    const report::HardwareBaselines baselines = report::readHardwareBaselines(workspace);
    std::vector<Explained> explained;
    for (const report::ComparedSeries& series : comparison.series) {
        if (lower(series.title).find(lower(options.series)) != std::string::npos) {
            Explained one{report::lossesIn(workspace, baselines, formats, series, stored.results), {}};
            one.tried = TRY(
                tuning::triedIn(workspace, series, one.losses.losses, stored.results, vocabulary, formats));
            explained.push_back(std::move(one));
        }
    }
    if (explained.empty()) {
        return fail(
            fmt::format("no series has \"{}\" in its title", options.series), {},
            "There are " + join(mapped(comparison.series, &report::ComparedSeries::title), ", ") + ".");
    }
    return explained;
}

Json toJson(const std::vector<Explained>& explained) {
    Json list = Json::array();
    for (const auto& [series, tried] : explained) {
        list.push_back(
            {{"series", series.title},
             {"campaign", series.campaign},
             {"losses", mapped(series.losses, [](const auto& loss) { return report::toJson(loss); })},
             {"experiments", mapped(tried, [](const auto& one) { return tuning::toJson(one); })}});
    }
    return {{"series", list}};
}

void print(const report::Loss& loss, report::LossUnit unit) {
    std::cout << "  " << toString(loss.topology) << ": "
              << told(report::lossHeading(loss, unit, terminalTranslation())) << '\n';
    for (const report::LossPart& part : report::toldParts(loss)) {
        const std::string range = report::rangeText(loss, part, unit);
        std::cout << "    " << printable(report::shareText(loss, part, unit, terminalTranslation()))
                  << (range.empty() ? std::string() : " (" + told(range) + ")") << ": " << told(part.words)
                  << '\n';
    }
    for (const std::string& evidence : report::evidenceOf(loss)) {
        std::cout << "    " << told("Known from: " + evidence) << '\n';
    }
    for (const std::string& remark : loss.remarks) {
        std::cout << "    " << told("Remark") << ": " << told(remark) << '\n';
    }
}

void print(const tuning::Tried& tried) {
    const tuning::Experiment& experiment = tried.experiment;
    std::cout << "      " << told(experiment.title) << " (" << printable(experiment.change)
              << "): " << (tried.answer ? told(tuning::answerText(*tried.answer)) : told(experiment.why))
              << '\n';
}

void print(const report::Loss& loss, const std::vector<tuning::Tried>& tried, report::LossUnit unit) {
    print(loss, unit);
    bool isFirst = true;
    for (const tuning::Tried& one : tried) {
        if (one.topology == loss.topology) {
            std::cout << (std::exchange(isFirst, false) ? "    " + told("What to try:") + "\n" : "");
            print(one);
        }
    }
}

// One file for each, by their order.
Result<void> writePlans(const std::vector<Explained>& explained, const std::filesystem::path& folder) {
    if (std::ranges::all_of(explained, [](const Explained& one) { return one.tried.empty(); })) {
        std::cerr << told("There is nothing to try: no plan was written") << '\n';
        return {};
    }
    TRY(makeFolders(folder));
    int number = 0;
    for (const Explained& one : explained) {
        for (const tuning::Tried& tried : one.tried) {
            const launch::Plan& plan = tried.experiment.plan;
            const auto file =
                folder / fmt::format("{:02}-{}.json", ++number, store::proposedFileName(plan.name));
            TRY(writeFileAtomically(file, launch::toJson(plan).dump(2) + "\n"));
        }
    }
    return {};
}

void print(const std::vector<Explained>& explained, report::LossUnit unit) {
    for (const auto& [series, tried] : explained) {
        std::cout << printable(series.title) << '\n';
        if (series.losses.empty()) {
            std::cout << "  " << told("Nothing to explain: it needs runs on 1n1g and on more devices")
                      << '\n';
        }
        for (const report::Loss& loss : series.losses) {
            print(loss, tried, unit);
        }
    }
}

Result<int> explain(const ExplainOptions& options) {
    const auto explained = TRY(explainAll(options));
    if (!options.plans.empty()) {
        TRY(writePlans(explained, expandHome(options.plans)));
    }
    if (options.json.empty()) {
        print(explained, options.throughput ? report::LossUnit::Throughput : report::LossUnit::Share);
        TRY(flushOutput());
    } else {
        TRY(writeOutput(options.json, printedJson(toJson(explained), 2) + "\n"));
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
    command->add_flag("--published", options->published, "Published figures too, with what is known of them");
    command->add_flag("--throughput", options->throughput, "Say losses in images/s instead of percent");
    command->add_option("--plans", options->plans, "Write the plans of what to try into this folder")
        ->type_name("FOLDER");
    command->add_option("--json", options->json, "Write JSON to this file, or to - for the terminal")
        ->type_name("FILE");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("explain", explain(*options)); });
}

}  // namespace dlperf::app
