// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/translation.h"
#include "core/measure/own_formats.h"
#include "core/report/compare_view.h"
#include "core/report/report.h"
#ifdef DLPERF_GUI
#include "ui/paper/pdf.h"
#endif

namespace dlperf::app {
namespace {

struct ReportOptions {
    std::string workspace;
    std::string output;
    std::string title;
    std::string language;
    std::string pivot;
    bool latexParts = false;
};

// What draws the pictures: the window's renderer; nothing in a build without Qt.
report::Renderers renderers() {
#ifdef DLPERF_GUI
    return ui::reportRenderers();
#else
    return {};
#endif
}

// Of what a view chooses among the workspace's results and the published ones.
Result<report::Report> reportOfView(const ReportOptions& options, const report::CompareView& view,
                                    const store::Workspace& workspace, const Vocabulary& vocabulary) {
    const std::filesystem::path resources = TRY(resourceFolder());
    auto results = TRY(store::readPublished(resources / "published" / "dlperf.json", vocabulary));
    const auto stored = TRY(store::readResults(workspace));
    results.insert(results.end(), stored.results.begin(), stored.results.end());
    std::erase_if(results, [&](const RunResult& result) { return !view.filter.passes(result); });
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::withoutTopologies(
        report::overBase(report::compare(results, vocabulary, formats), view.speedupBase),
        view.filter.hiddenTopologies);
    return report::pivotReport(report::pivotOf(comparison, vocabulary, view.pivot, view.hidden),
                               options.title.empty() ? options.pivot : options.title);
}

// --pivot names a view, or says what stands in rows and columns.
Result<report::Report> pivotReport(const ReportOptions& options, const store::Workspace& workspace,
                                   const Vocabulary& vocabulary) {
    const std::filesystem::path resources = TRY(resourceFolder());
    const auto stored = report::readViews(resources, workspace);
    for (const Error& problem : stored.problems) {
        complain("report", problem);
    }
    if (const auto view = stored.views.find(options.pivot); view != stored.views.end()) {
        return reportOfView(options, view->second, workspace, vocabulary);
    }
    auto layout = report::parsePivotLayout(options.pivot);
    if (!layout) {
        std::vector<std::string> names;
        std::ranges::transform(stored.views, std::back_inserter(names),
                               [](const auto& entry) { return "\"" + entry.first + "\""; });
        Error error = layout.error();
        error.remedy += " Or name a view: " + join(names, ", ") + ".";
        return Failure(error);
    }
    const auto results = TRY(someResults("report", workspace)).results;
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::compare(results, vocabulary, formats);
    return report::pivotReport(report::pivotOf(comparison, vocabulary, *layout), options.title);
}

Result<report::Report> wholeReport(const ReportOptions& options, const store::Workspace& workspace,
                                   const Vocabulary& vocabulary) {
    const auto stored = TRY(someResults("report", workspace));
    report::ReportView view;
    view.formats = TRY(measure::readFormats(workspace));
    report::Report report = report::buildReport(stored.results, vocabulary, options.title, view);
    report::addWorkspaceFacts(report, workspace);
    for (const Error& problem : stored.problems) {  // the reader should know what may be missing
        report.findings.push_back(printable(describe(problem)));
    }
    return report;
}

Result<void> writeReport(const ReportOptions& options) {
    const std::filesystem::path output = expandHome(options.output);
    if (options.latexParts && lower(output.extension().string()) != ".tex") {
        return fail("only a .tex file is written in parts", output.string(),
                    "Write -o report.tex, or leave out --latex-parts.");
    }
    // The ending is checked before the work.
    if (options.output != "-") {
        TRY(report::renderReport({}, output, renderers()));
    }
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto vocabulary = TRY(readVocabulary());
    report::Report report = TRY(options.pivot.empty() ? wholeReport(options, workspace, vocabulary)
                                                      : pivotReport(options, workspace, vocabulary));
    report.language = options.language.empty() ? languageOfTerminal() : options.language;
    report.latexParts = options.latexParts;
    if (options.output == "-") {
        std::erase(report.parts, report::ReportPart::Charts);  // which would be files beside it
        const auto text = TRY(report::renderReport(report, "report.md", {}));
        return writeOutput("-", text.front().bytes);
    }
    return report::writeReport(report, output, renderers());
}

}  // namespace

void addReportCommand(CLI::App& app, int& exitCode) {
    CLI::App* command = app.add_subcommand("report", "Write the workspace's results as a report");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("--workspace", options->workspace, "The folder with the runs")
        ->type_name("FOLDER")
        ->required();
    command
        ->add_option("-o,--output", options->output,
                     "The report: a file that ends in .md, .html, .pdf, .tex, .xlsx, .csv or .json, or - for "
                     "Markdown on standard output")
        ->type_name("FILE")
        ->required();
    command->add_option("--title", options->title,
                        "The report's title; else what the results have in common");
    command
        ->add_option("--pivot", options->pivot,
                     "Only a table of your own: the name of a view, or rows, columns and value, such as "
                     "topology,batch-size:implementation:speedup")
        ->type_name("TABLE");
    command->add_flag(
        "--latex-parts", options->latexParts,
        "With a .tex file: each table and figure a file of its own to \\input, and no document");
    command
        ->add_option("--language", options->language,
                     "Of the report's texts: en or zh_CN; without it, the terminal's")
        ->type_name("LANGUAGE")
        ->check(CLI::IsMember({"en", "zh_CN"}));
    command->callback([options, &exitCode] {
        if (const auto written = writeReport(*options); !written) {
            exitCode = complain("report", written.error());
        }
    });
}

}  // namespace dlperf::app
