// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "core/base/file.h"
#include "core/base/translation.h"
#include "core/measure/own_formats.h"
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
};

// What draws the pictures: the window's renderer; nothing in a build without Qt.
report::Renderers renderers() {
#ifdef DLPERF_GUI
    return ui::reportRenderers();
#else
    return {};
#endif
}

Result<void> writeReport(const ReportOptions& options) {
    const std::filesystem::path output = expandHome(options.output);
    // The ending is checked before the work.
    if (options.output != "-") {
        TRY(report::renderReport({}, output, renderers()));
    }
    const auto workspace = TRY(store::Workspace::openExisting(expandHome(options.workspace)));
    const auto vocabulary = TRY(readVocabulary());
    const auto stored = TRY(someResults("report", workspace));
    const auto formats = TRY(measure::readFormats(workspace));
    report::ReportView view;
    view.formats = formats;
    report::Report report = report::buildReport(stored.results, vocabulary, options.title, view);
    report::addWorkspaceFacts(report, workspace);
    report.language = options.language.empty() ? languageOfTerminal() : options.language;
    for (const Error& problem : stored.problems) {  // the reader should know what may be missing
        report.findings.push_back(printable(describe(problem)));
    }
    if (options.output == "-") {
        report.parts.erase(report::ReportPart::Charts);  // which would be files beside it
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
