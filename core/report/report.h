// SPDX-License-Identifier: Apache-2.0
// A report: the same comparisons, charts and tables as the Compare page, with what is needed to believe them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/hardware.h"
#include "core/report/loss.h"
#include "core/report/pivot.h"
#include "core/report/series_colours.h"
#include "core/report/table.h"
#include "core/store/workspace.h"

namespace dlperf::report {

enum class ReportPart {
    Pivot,
    Summary,
    Charts,
    Results,
    Repetitions,
    Findings,
    Environment,
    Method,
    Scripts,
    Loss,
    Hardware
};

// As templates and links name them.
inline constexpr std::array<const char*, 11> reportPartNames{
    "pivot",       "summary", "charts",  "results", "repetitions", "findings",
    "environment", "method",  "scripts", "loss",    "hardware"};
[[nodiscard]] constexpr const char* partName(ReportPart part) {
    return reportPartNames.at(static_cast<std::size_t>(part));
}

// That the report's own words are written in.
inline constexpr std::array<const char*, 2> reportLanguages{"en", "zh_CN"};

// All parts, in the order that a report has unless somebody chose another.
[[nodiscard]] const std::vector<ReportPart>& usualParts();

// Results of one model, precision and batch size; or, with `batchSizes`, the same over the batch size.
struct ReportSection {
    std::string heading;
    std::string summary;     // one to three sentences; may be empty
    std::string ownSummary;  // the user's words, which stand in its place; empty: none
    Comparison comparison;
    std::vector<ChartSpec> charts;
    bool batchSizes = false;  // charts only: the figures stand in the other sections
};

struct ReportScript {
    std::string name;  // "pytorch-examples/launch.sh"
    std::string text;
};

struct Report {
    std::string title;
    std::string subtitle;          // "60 runs of 2 campaigns, 2026-11-20 to 2026-11-21"
    std::optional<Pivot> pivot{};  // the user's own table of all sections
    std::vector<ReportSection> sections;
    std::vector<SeriesLosses> losses{};            // of series of which any cause is known
    std::vector<std::string> unexplainedLosses{};  // of the others: "OneFlow: 12.5 % on 4n8g"
    HardwareBaselines hardware{};                  // what was measured of it
    std::vector<std::string> findings;             // what the comparisons and the logs' analysis noticed
    Table trouble;                                 // runs without a figure, or excluded, with the reason
    Table versions;                                // framework, part, version, runs
    Table environment;                             // node, fact, value
    std::vector<std::string> method;               // sentences
    std::vector<ReportScript> scripts;
    std::vector<RunResult> runs;  // all that the report is about
    std::string language{};       // of its texts, "zh_CN"; CSV and JSON keep English, which empty is
    std::vector<ReportPart> parts = usualParts();  // each once, in the order of the pages
    bool latexParts = false;  // LaTeX: a file for each table and figure, to be \input, and no document

    [[nodiscard]] bool shows(ReportPart part) const { return std::ranges::find(parts, part) != parts.end(); }
    // Nothing but the pivot table: files of figures hold it then.
    [[nodiscard]] bool isPivot() const { return pivot && parts == std::vector{ReportPart::Pivot}; }
};

// How a page shows the results, for a report that shows them the same way.
struct ReportView {
    ChartOptions charts;
    std::set<Topology> hiddenTopologies;  // hidden, but speedups rest on them all the same
    std::string speedupBase;              // id of a series; see overBase()
    Spread spread = Spread::MinToMax;
    analysis::FormatBook formats;  // that the results may be measured by
    std::optional<PivotLayout> pivot{};
    std::optional<PivotField> colouredBy{};  // see withColours()
    CampaignNames campaignNames{};           // see withCampaignNames(); none: ids
    SeriesLooks looks{};                     // of all results there are; none: of those of the report
};

// Sections by model, precision and batch size. An empty title becomes what the results have in common.
[[nodiscard]] Report buildReport(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                                 const std::string& title = {}, const ReportView& view = ReportView());

// What the results say in a sentence or two: the best of the first section that has any figure, under its
// heading where there are others. Empty without a figure.
[[nodiscard]] std::string headlineOf(const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                                     const analysis::FormatBook& formats);

// A report of the table alone. An empty title becomes what its figures have in common.
[[nodiscard]] Report pivotReport(Pivot pivot, const std::string& title = {});

// Adds what only the run folders know: machine facts and scripts. Folders that cannot be
// read are passed over: the figures stand without them. And what the workspace has of measured hardware.
void addWorkspaceFacts(Report& report, const store::Workspace& workspace);

// The tables that the writers share. Speedup and efficiency of the results stand at one topology: the largest
// that has any (an index into the comparison's topologies).
[[nodiscard]] std::size_t scalingTopology(const Comparison& comparison);
[[nodiscard]] Table resultTable(const Comparison& comparison);
[[nodiscard]] Table repetitionTable(const Comparison& comparison);
// "over own 1n1g", "over 1n1g of NGC PyTorch"
[[nodiscard]] std::string speedupBaseText(const Comparison& comparison);
// What stands under a table of results: its unit, where speedup and efficiency stand, and over what.
[[nodiscard]] std::string resultNote(const Comparison& comparison);
// "OneFlow, 2n8g: 2 of 2 failed: …", one for each figure that is missing.
[[nodiscard]] std::vector<std::string> missingFigures(const Comparison& comparison);

// The series beside the best one where speedups are compared: "NGC PyTorch: −8.7 % against …", see
// difference.h.
[[nodiscard]] std::vector<std::string> differencesAtScaling(const Comparison& comparison);
// What stands above them: how they were judged, or once for all that single runs cannot be.
[[nodiscard]] std::string differencesHeading(const Comparison& comparison);
// "OneFlow: reports/….md; README.md", one for each published series: all that quote its figures.
[[nodiscard]] std::vector<std::string> quotedSources(const Comparison& comparison);

// Everything that a report knows of its figures, one row a figure: every topology of every series. What CSV
// files and a spreadsheet's last sheet hold.
[[nodiscard]] Table dataTable(const Report& report);

// Calls visit(section, series, cell) for every figure; sections over the batch size only repeat them.
template <class Visit>
void forEachFigure(const Report& report, const Visit& visit) {
    for (const ReportSection& section : report.sections) {
        if (section.batchSizes) {
            continue;
        }
        for (const ComparedSeries& series : section.comparison.series) {
            for (const Cell& cell : series.cells) {
                visit(section, series, cell);
            }
        }
    }
}

// Draws a chart of the size in px.
using ChartRenderer = std::function<Result<std::string>(const ChartSpec&, int width, int height)>;

// What drawing needs, given by who has it. Where one is empty, the report has its tables and says that the
// pictures need the full build.
struct Renderers {
    ChartRenderer svg{};                                           // an <svg> element
    ChartRenderer pdf{};                                           // a PDF of one page
    std::function<Result<std::string>(const Report&)> document{};  // the whole report as a PDF
};

// The files of a report: the named one first, then the charts beside it.
struct ReportFile {
    std::filesystem::path path;
    std::string bytes;
};

// By the ending of `path`: .md .html .pdf .tex .xlsx .csv .json. Another ending is an Input error that names
// these.
[[nodiscard]] Result<std::vector<ReportFile>> renderReport(const Report& report,
                                                           const std::filesystem::path& path,
                                                           const Renderers& renderers);
// Markdown in the layout of DLPerf's own README, without pictures, in the report's language.
[[nodiscard]] std::string renderReadme(const Report& report, const Vocabulary& vocabulary);
struct WrittenFiles {
    std::size_t count = 0;  // with the charts beside the named one
    std::size_t bytes = 0;
};

// Renders and writes; the named file comes last, so that it never points to charts that are not there.
[[nodiscard]] Result<WrittenFiles> writeReport(const Report& report, const std::filesystem::path& path,
                                               const Renderers& renderers);

}  // namespace dlperf::report
