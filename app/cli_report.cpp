// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/translation.h"
#include "core/measure/own_formats.h"
#include "core/report/compare_view.h"
#include "core/report/report.h"
#include "core/report/report_template.h"
#include "core/run/campaign_names.h"
#include "core/run/status.h"
#include "core/tuning/report_losses.h"
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
    std::string layout;  // the name of a template
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
    const auto stored = TRY(resultsIn(workspace));
    results.insert(results.end(), stored.results.begin(), stored.results.end());
    std::erase_if(results, [&](const RunResult& result) { return !view.filter.passes(result); });
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::withoutTopologies(
        report::overBase(report::compare(results, vocabulary, formats), view.speedupBase),
        view.filter.hiddenTopologies);
    return report::pivotReport(report::pivotOf(comparison, vocabulary, view.pivot, view.hidden),
                               options.title.empty() ? options.pivot : options.title);
}

// The names of what is saved, for an error that says them.
template <class Value>
std::string namesOf(const store::NamedFiles<Value>& stored) {
    std::vector<std::string> names;
    std::ranges::transform(stored.values, std::back_inserter(names),
                           [](const auto& entry) { return "\"" + entry.first + "\""; });
    return join(names, ", ");
}

// Nothing where no template was asked for.
Result<std::optional<report::ReportTemplate>> chosenTemplate(const ReportOptions& options,
                                                             const store::Workspace& workspace) {
    if (options.layout.empty()) {
        return std::nullopt;
    }
    const auto stored = report::readTemplates(workspace);
    for (const Error& problem : stored.problems) {
        complain("report", problem);
    }
    if (const auto found = stored.values.find(options.layout); found != stored.values.end()) {
        return found->second;
    }
    return fail("the workspace has no template \"" + options.layout + "\"", workspace.templates().string(),
                stored.values.empty() ? "Save one on the window's Report page."
                                      : "Its templates are " + namesOf(stored) + ".");
}

// --pivot names a view, or says what stands in rows and columns.
Result<report::Report> pivotReport(const ReportOptions& options, const store::Workspace& workspace,
                                   const Vocabulary& vocabulary) {
    const std::filesystem::path resources = TRY(resourceFolder());
    const auto stored = report::readViews(resources, workspace);
    for (const Error& problem : stored.problems) {
        complain("report", problem);
    }
    if (const auto view = stored.values.find(options.pivot); view != stored.values.end()) {
        return reportOfView(options, view->second, workspace, vocabulary);
    }
    auto layout = report::parsePivotLayout(options.pivot);
    if (!layout) {
        Error error = layout.error();
        error.remedy += " Or name a view: " + namesOf(stored) + ".";
        return Failure(error);
    }
    const auto results = TRY(someResults("report", workspace)).results;
    const auto formats = TRY(measure::readFormats(workspace));
    const report::Comparison comparison = report::compare(results, vocabulary, formats);
    return report::pivotReport(report::pivotOf(comparison, vocabulary, *layout), options.title);
}

Result<report::Report> wholeReport(const ReportOptions& options, const store::Workspace& workspace,
                                   const Vocabulary& vocabulary) {
    const auto chosen = TRY(chosenTemplate(options, workspace));
    const auto stored = TRY(someResults("report", workspace));
    report::ReportView view;
    view.formats = TRY(measure::readFormats(workspace));
    const std::string title = chosen && options.title.empty() ? chosen->title : options.title;
    report::Report report = report::buildReport(stored.results, vocabulary, title, view);
    report::addWorkspaceFacts(report, workspace);
    tuning::addLosses(report, workspace, vocabulary, view.formats);
    const auto campaigns = run::StatusReader(workspace).read().campaigns;
    const auto toCome = run::toComeTexts(campaigns, run::campaignNames(workspace, campaigns), stored.results);
    report.findings.insert(report.findings.begin(), toCome.begin(), toCome.end());
    if (chosen) {
        for (const std::string& heading : report::applyTemplate(report, *chosen)) {
            complain(
                "report",
                Error{fmt::format("the summary of \"{}\" was written for other figures", heading),
                      options.layout, "The computed one stands in the report. Write it anew in the window.",
                      ErrorKind::Input});
        }
    }
    for (const Error& problem : stored.problems) {  // the reader should know what may be missing
        report.findings.push_back(printable(describe(problem)));
    }
    return report;
}

std::string writtenText(const std::string& report, std::size_t files) {
    return files < 2    ? fmt::format("wrote {}", report)
           : files == 2 ? fmt::format("wrote {} and 1 file beside it", report)
                        : fmt::format("wrote {} and {} files beside it", report, files - 1);
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
    if (!options.language.empty()) {
        report.language = options.language;
    } else if (report.language.empty()) {
        report.language = languageOfTerminal();
    }
    report.latexParts = report.latexParts || options.latexParts;
    if (options.output == "-") {
        std::erase(report.parts, report::ReportPart::Charts);  // which would be files beside it
        const auto text = TRY(report::renderReport(report, "report.md", {}));
        return writeOutput("-", text.front().bytes);
    }
    const report::WrittenFiles written = TRY(report::writeReport(report, output, renderers()));
    std::cerr << told(writtenText(output.string(), written.count)) << '\n';
    return {};
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
    command
        ->add_option("--template", options->layout,
                     "Title, sections, their order and summaries: the name of a template saved in the window")
        ->type_name("NAME")
        ->excludes("--pivot");
    command->add_flag(
        "--latex-parts", options->latexParts,
        "With a .tex file: each table and figure a file of its own to \\input, and no document");
    command
        ->add_option("--language", options->language,
                     "Of the report's texts: en or zh_CN; without it, the terminal's")
        ->type_name("LANGUAGE")
        ->check(CLI::IsMember(
            std::vector<std::string>(report::reportLanguages.begin(), report::reportLanguages.end())));
    command->callback([options, &exitCode] {
        if (const auto written = writeReport(*options); !written) {
            exitCode = complain("report", written.error());
        }
    });
}

}  // namespace dlperf::app
