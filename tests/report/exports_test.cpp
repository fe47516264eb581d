// SPDX-License-Identifier: Apache-2.0
// Spreadsheets and LaTeX: read back by programs that are not ours.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <fstream>

#include "core/base/file.h"
#include "core/report/escape.h"
#include "core/report/report.h"
#include "tests/report/report_fixture.h"

namespace dlperf::report {
namespace {

namespace fs = std::filesystem;
using test::vocabulary;

Report smallReport() {
    return buildReport(test::smallSet(), vocabulary());
}

// The text of a part of a zip file, by the unzip program.
std::string part(const std::string& zip, const std::string& name) {
    const auto folder = *dlperf::TemporaryFolder::make("dlperf-test");
    std::ofstream(folder.path() / "a.xlsx", std::ios::binary) << zip;
    const std::string command = "unzip -p " + (folder.path() / "a.xlsx").string() + " " + name + " > " +
                                (folder.path() / "part").string();
    EXPECT_EQ(std::system(command.c_str()), 0) << name;
    return readFile(folder.path() / "part").value_or("");
}

std::string spreadsheet(const Report& report) {
    const auto files = renderReport(report, "r.xlsx", {});
    return files ? files->at(0).bytes : describe(files.error());
}

TEST(Spreadsheet, HoldsTheTablesOfThePage) {
    const std::string bytes = spreadsheet(smallReport());
    const std::string book = part(bytes, "xl/workbook.xml");
    EXPECT_NE(book.find("name=\"Data\""), std::string::npos) << book;
    for (const char* sheet : {"b128 fp32", "b256 fp32", "Repetitions b128 fp32", "Charts batches fp32"}) {
        EXPECT_NE(book.find("name=\"" + std::string(sheet) + "\""), std::string::npos) << sheet << book;
    }
    const std::string sheet = part(bytes, "xl/worksheets/sheet1.xml");
    EXPECT_NE(sheet.find("<v>354.44"), std::string::npos) << sheet;  // a number, not a text
    EXPECT_EQ(sheet.find("<f>"), std::string::npos);
}

// A column of a sheet holds figures, or shares.
TEST(Spreadsheet, APivotTableKeepsFiguresApartFromDifferences) {
    const PivotLayout layout{
        .rows = {PivotField::Topology}, .columns = {PivotField::BatchSize}, .comparedTo = "128"};
    const Pivot pivot = pivotOf(compare(test::smallSet(), vocabulary()), vocabulary(), layout);
    ASSERT_EQ(pivot.layout.comparedTo, "128");
    const std::string strings = part(spreadsheet(pivotReport(pivot, "x")), "xl/sharedStrings.xml");
    EXPECT_NE(strings.find("256, difference to 128"), std::string::npos) << strings;
}

TEST(Spreadsheet, ALossIsATableAndStackedColumns) {
    Report report = smallReport();
    std::erase(report.parts, ReportPart::Charts);
    const std::string without = spreadsheet(report);
    Loss loss{.topology = {2, 4}, .reached = 0.75};
    loss.parts.push_back({.cause = Cause::Communication, .share = 0.25});
    report.losses.push_back({"NGC PyTorch", "c1", {loss}});
    const std::string bytes = spreadsheet(report);
    EXPECT_NE(part(bytes, "xl/workbook.xml").find("name=\"Loss NGC PyTorch\""), std::string::npos);
    report.losses.front().title = report.sections.front().heading + ", NGC PyTorch";
    EXPECT_NE(part(spreadsheet(report), "xl/workbook.xml").find("name=\"Loss b128 fp32 NGC PyTorch\""),
              std::string::npos);
    EXPECT_NE(part(bytes, "xl/charts/chart1.xml").find("<c:grouping val=\"stacked\"/>"), std::string::npos);
    EXPECT_NE(part(bytes, "xl/sharedStrings.xml").find("communication"), std::string::npos);
    EXPECT_EQ(part(without, "xl/sharedStrings.xml").find("communication"), std::string::npos);
}

TEST(Spreadsheet, MeasuredHardwareHasItsTablesAndWhatIsSlow) {
    Report report = smallReport();
    report.hardware = test::measuredHardware();
    const std::string bytes = spreadsheet(report);
    const std::string book = part(bytes, "xl/workbook.xml");
    for (const char* sheet : {"Links between the nodes", "What each node computes", "Hardware notes"}) {
        EXPECT_NE(book.find("name=\"" + std::string(sheet) + "\""), std::string::npos) << sheet;
    }
    const std::string strings = part(bytes, "xl/sharedStrings.xml");
    for (const char* text : {"measured 2026-11-22", "node3 computes 33.", "no route to host"}) {
        EXPECT_NE(strings.find(text), std::string::npos) << text;
    }
    EXPECT_NE(part(bytes, "xl/worksheets/sheet6.xml").find("<v>400.5</v>"), std::string::npos)
        << "figures are numbers";
}

TEST(Spreadsheet, TextsAreNeverFormulas) {
    auto runs = test::smallSet();
    for (RunResult& run : runs) {
        run.benchmarkCase.configuration.implementation = "=1+1\x01\xff";
    }
    const std::string bytes = spreadsheet(buildReport(runs, vocabulary()));
    EXPECT_NE(part(bytes, "xl/sharedStrings.xml").find("=1+1"), std::string::npos);
    for (const char* sheet : {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet3.xml"}) {
        EXPECT_EQ(part(bytes, sheet).find("<f>"), std::string::npos);
    }
}

// libxlsxwriter prints with printf, which obeys the desktop's language.
TEST(Spreadsheet, FiguresHaveAPointInEveryLanguage) {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    for (const char* comma : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {  // where one is installed
        (void)std::setlocale(LC_NUMERIC, comma);
    }
    const std::string bytes = spreadsheet(smallReport());
    std::setlocale(LC_NUMERIC, before.c_str());
    EXPECT_NE(part(bytes, "xl/worksheets/sheet1.xml").find("<v>354.44"), std::string::npos);
}

TEST(Spreadsheet, TheLastSheetIsTheDataOfTheCsv) {
    const Report report = smallReport();
    const Table data = dataTable(report);
    const std::string bytes = spreadsheet(report);
    const std::string strings = part(bytes, "xl/sharedStrings.xml");
    for (const TableColumn& column : data.columns) {
        EXPECT_NE(strings.find("<t>" + column.title + "</t>"), std::string::npos) << column.title;
    }
}

TEST(Spreadsheet, NamesItsSheetsInTheLanguageOfTheReport) {
    Report report = smallReport();
    report.language = "zh_CN";
    const std::string book = part(spreadsheet(report), "xl/workbook.xml");
    EXPECT_NE(book.find("name=\"图表 b128 fp32\""), std::string::npos) << book;
    EXPECT_NE(book.find("name=\"方法\""), std::string::npos) << book;
    const std::string longest(40, 'x');
    const auto sheet = [](const std::string& name) {
        const auto bytes = toSpreadsheet({{{"a"}}, {}}, name);
        return bytes ? part(*bytes, "xl/workbook.xml") : std::string();
    };
    EXPECT_NE(sheet(longest).find("name=\"" + longest.substr(0, 31) + "\""), std::string::npos);
    std::string smileys;
    for (int i = 0; i < 20; ++i) {
        smileys += "😀";  // two letters each
    }
    EXPECT_NE(sheet(smileys).find("name=\"" + smileys.substr(0, 15 * 4) + "\""), std::string::npos);
}

TEST(Spreadsheet, IsPrintedAsWideAsThePaper) {
    const std::string sheet = part(spreadsheet(smallReport()), "xl/worksheets/sheet1.xml");
    EXPECT_NE(sheet.find("<pageSetUpPr fitToPage=\"1\"/>"), std::string::npos);
    EXPECT_NE(sheet.find("orientation=\"landscape\""), std::string::npos);
}

TEST(Spreadsheet, HasChartsOfItsOwn) {
    Report report = smallReport();
    const std::string bytes = spreadsheet(report);
    const std::string bars = part(bytes, "xl/charts/chart1.xml");
    EXPECT_NE(bars.find("<c:barChart>"), std::string::npos);
    EXPECT_NE(bars.find("Throughput, images/s"), std::string::npos);
    EXPECT_NE(bars.find("<c:min val=\"0\"/>"), std::string::npos);
    EXPECT_NE(bars.find("<c:f>'Charts b128 fp32'!$B$3:$B$"), std::string::npos);
    EXPECT_NE(part(bytes, "xl/charts/chart2.xml").find("<c:logBase val=\"2\"/>"), std::string::npos);
    report.parts = {ReportPart::Results};
    EXPECT_EQ(spreadsheet(report).find("xl/charts/chart1.xml"), std::string::npos);
}

// 1n2g and 2n1g are one place on an axis of devices.
TEST(Spreadsheet, TopologiesOfAsManyDevicesKeepTheirFigures) {
    const std::vector<RunResult> runs{test::ownRun({1, 1}, 1, 100), test::ownRun({1, 2}, 1, 199),
                                      test::ownRun({2, 1}, 1, 151)};
    const std::string bytes = spreadsheet(buildReport(runs, vocabulary()));
    const std::string sheets = part(bytes, "'xl/worksheets/*.xml'");
    const std::size_t end = sheets.find("<drawing");
    const std::string charts = sheets.substr(0, end).substr(sheets.rfind("<sheetData>", end));
    for (const char* figure : {"<v>1.99</v>", "<v>1.51</v>", "<v>99.5</v>", "<v>75.5</v>"}) {
        EXPECT_NE(charts.find(figure), std::string::npos) << figure;
    }
}

// A line through all of them would stand upright at two devices.
TEST(Spreadsheet, ALinePartsWhereTopologiesHaveAsManyDevices) {
    const std::vector<RunResult> runs{test::ownRun({1, 1}, 1, 100), test::ownRun({1, 2}, 1, 199),
                                      test::ownRun({2, 1}, 1, 151)};
    const std::string chart =
        part(spreadsheet(buildReport(runs, vocabulary())), "xl/charts/chart2.xml");  // speedup
    EXPECT_EQ(chart.find("$C$21:$C$23"), std::string::npos) << chart;
    EXPECT_NE(chart.find("!$C$21:$C$22</c:f>"), std::string::npos) << chart;
    const std::size_t second = chart.find("!$C$21,'");
    ASSERT_NE(second, std::string::npos) << chart;
    EXPECT_LT(chart.find("!$C$23)</c:f>"), chart.find("</c:ser>", second));
    EXPECT_NE(chart.find("<c:legendEntry><c:idx val=\"2\"/><c:delete val=\"1\"/>"), std::string::npos)
        << "the line's name stands once";
}

TEST(Latex, ShowsTextsAsTheyAre) {
    EXPECT_EQ(escapeLatex("a_b 50% $x$ {y} \\input{/etc/passwd} ~^#&[z]"),
              "a\\_b 50\\% \\$x\\$ \\{y\\} \\textbackslash{}input\\{/etc/passwd\\} "
              "\\textasciitilde{}\\textasciicircum{}\\#\\&{[}z]");
    const Table table{{{"Name"}, {"Speed", true}}, {{textCell("[x]_&"), {.text = "1.00", .strong = true}}}};
    EXPECT_EQ(toLatex(table),
              "\\begin{longtable}[l]{@{}lr@{}}\n\\toprule\nName & Speed \\\\\n\\midrule\n\\endhead\n"
              "{[}x]\\_\\& & \\textbf{1.00} \\\\\n\\bottomrule\n\\end{longtable}\n");
}

TEST(Latex, HasItsChartsBesideIt) {
    const auto files = renderReport(smallReport(), "out/my report_1.tex", test::fakeRenderer());
    ASSERT_TRUE(files) << describe(files.error());
    ASSERT_GT(files->size(), 1U);
    EXPECT_EQ(files->at(1).path, fs::path("out/myreport1-1.pdf"));
    EXPECT_NE(files->at(0).bytes.find("{myreport1-1.pdf}"), std::string::npos);
}

TEST(Latex, TablesAndFiguresHaveCaptionsAndLabels) {
    const std::string text = renderReport(smallReport(), "paper.tex", test::fakeRenderer())->front().bytes;
    EXPECT_NE(text.find("\\captionof{figure}{ResNet50 v1.5, fp32, batch size 128: Throughput, "
                        "images/s}\\label{fig:paper-1}"),
              std::string::npos);
    EXPECT_NE(text.find("\\caption{ResNet50 v1.5, fp32, batch size 128: Results}\\label{tab:paper-1}\\\\"),
              std::string::npos);
    EXPECT_EQ(text.find("\\label{tab:paper-1}"), text.rfind("\\label{tab:paper-1}"));
}

TEST(Latex, ATableAloneIsCalledByTheTitle) {
    Report report = smallReport();
    const Comparison& comparison = report.sections.front().comparison;
    const Report table = pivotReport(pivotOf(comparison, vocabulary(), {}), "Mine & yours");
    const std::string text = renderReport(table, "paper.tex", test::fakeRenderer())->front().bytes;
    EXPECT_NE(text.find("\\caption{Mine \\& yours}\\label{tab:paper-1}"), std::string::npos) << text;
}

TEST(Latex, PartsAreFilesThatADocumentTakesIn) {
    Report report = smallReport();
    report.latexParts = true;
    const auto files = renderReport(report, "out/paper.tex", test::fakeRenderer());
    ASSERT_TRUE(files);
    const std::string& all = files->front().bytes;
    EXPECT_EQ(all.find("\\begin{document}"), std::string::npos);
    int parts = 0;
    for (const ReportFile& file : *files) {
        if (file.path.extension() == ".tex" && file.path != "out/paper.tex") {
            ++parts;
            EXPECT_NE(all.find("\\input{" + file.path.filename().string() + "}"), std::string::npos);
            EXPECT_NE(file.bytes.find("\\caption{"), std::string::npos) << file.path;
            EXPECT_NE(file.bytes.find("\\label{"), std::string::npos) << file.path;
        }
    }
    EXPECT_GT(parts, 6);
    EXPECT_EQ(files->at(1).path, "out/paper-1.pdf");
    EXPECT_EQ(files->at(2).path, "out/paper-figure-1.tex");
}

TEST(Latex, AScriptCannotLeaveItsListing) {
    Report report = smallReport();
    report.scripts.push_back({"x/launch.sh", "echo\n\\end{Verbatim}\\input{x}\n"});
    const std::string text = test::only(*renderReport(report, "r.tex", {}));
    EXPECT_EQ(text.find("\\end{Verbatim}\\input"), std::string::npos);
}

TEST(Pdf, WithoutQtSaysSo) {
    const auto files = renderReport(smallReport(), "r.pdf", {});
    ASSERT_FALSE(files);
    EXPECT_NE(files.error().what.find("without Qt"), std::string::npos);
}

}  // namespace
}  // namespace dlperf::report
