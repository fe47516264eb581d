// SPDX-License-Identifier: Apache-2.0
// What reports hold beside the golden files: charts, endings, facts of the workspace, hostile texts.
#include "core/report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/base/file.h"
#include "core/report/escape.h"
#include "core/store/run_record.h"
#include "tests/report/report_fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::report {
namespace {

namespace fs = std::filesystem;
using store::test::Folder;
using test::only;
using test::vocabulary;

TEST(Report, HasASectionForEachBatchSizeAndOneOverThem) {
    const Report report = buildReport(test::smallSet(), vocabulary());
    ASSERT_EQ(report.sections.size(), 3U);
    EXPECT_EQ(report.sections[0].heading, "ResNet50 v1.5, fp32, batch size 128");
    EXPECT_EQ(report.sections[0].charts.size(), 4U);  // the last one the spread of the repetitions
    EXPECT_EQ(
        report.sections[0].summary,
        "On 2 devices (1n2g) dlperf-worker trains 700.58 images/s at a scaling efficiency of 98.8\u00A0%.");
    EXPECT_EQ(report.sections[1].heading, "ResNet50 v1.5, fp32, batch size 256");
    EXPECT_EQ(report.sections[1].charts.size(), 1U);  // one device: nothing scales
    EXPECT_TRUE(report.sections[2].batchSizes);
    EXPECT_EQ(report.sections[2].heading, "ResNet50 v1.5, fp32, over the batch size");
    EXPECT_FALSE(test::warns(report.sections[2].comparison.warnings, "Batch sizes differ"));
    EXPECT_EQ(report.title, "Training throughput, ResNet50 v1.5, fp32");
    EXPECT_EQ(report.subtitle, "9 runs of 1 campaign, 2026-11-21");
    EXPECT_EQ(report.trouble.rows.size(), 2U);
    ASSERT_EQ(report.method.size(), 4U);
    EXPECT_EQ(report.method[2],
              "dlperf-worker: iterations 21 to 120 are measured (20 warmup, 100 measured).");
}

TEST(Report, NamesAnUnknownModelInWords) {
    RunResult run = test::smallSet().front();
    run.benchmarkCase.configuration.model.clear();
    run.outcome = Outcome::Short;
    const Report report = buildReport({run}, vocabulary());
    ASSERT_EQ(report.trouble.rows.size(), 1U);
    EXPECT_EQ(report.trouble.rows[0][1].text, "dlperf-worker, unknown model, fp32, batch size 128, 1n1g");
}

TEST(Report, CallsNothingARunThatOthersPublished) {
    std::vector<RunResult> results{test::quotedRun("OneFlow", {1, 1}, 300),
                                   test::quotedRun("OneFlow", {1, 8}, 2300)};
    results[0].started = results[1].started = std::nullopt;
    EXPECT_EQ(buildReport(results, vocabulary()).subtitle, "2 published figures of 1 source");
    results.push_back(test::ownRun({1, 1}, 1, 10));
    results.back().started = std::nullopt;
    EXPECT_EQ(buildReport(results, vocabulary()).subtitle,
              "1 run of 1 campaign, 2 published figures of 1 source");
}

TEST(Report, ComparesAtTheLargestTopologyThatSeveralReach) {
    std::vector<RunResult> results;
    for (const char* name : {"OneFlow", "NGC PyTorch", "NGC MXNet"}) {
        results.push_back(test::quotedRun(name, {1, 1}, 300));
        results.push_back(test::quotedRun(name, {1, 8}, 2300));
    }
    results.push_back(test::quotedRun("OneFlow", {2, 8}, 4500));
    Report report = buildReport(results, vocabulary());
    EXPECT_EQ(report.sections[0].summary.find("On 8 devices (1n8g) "), 0U) << report.sections[0].summary;
    EXPECT_EQ(
        toString(report.sections[0].comparison.topologies[scalingTopology(report.sections[0].comparison)]),
        "1n8g");
    report = buildReport({results[0], results[1], results.back()}, vocabulary());
    EXPECT_EQ(report.sections[0].summary.find("On 16 devices (2n8g) "), 0U) << report.sections[0].summary;
}

TEST(Report, SaysSmallImagesAndWhoFollows) {
    std::vector<RunResult> runs = test::smallSet();
    runs.push_back(test::quotedRun("OneFlow", {1, 2}, 690.0));
    const Report report = buildReport(runs, vocabulary());
    EXPECT_TRUE(test::warns(report.sections[0].comparison.warnings, "Image sizes differ: 224 ("));
    for (const ChartSpec& chart : report.sections[0].charts) {
        EXPECT_TRUE(chart.warnings.empty()) << chart.title << ": the section says it above its charts";
    }
    EXPECT_NE(report.sections[0].summary.find("OneFlow follows with 690.00 images/s (−1.5\u00A0%)."),
              std::string::npos);
    for (const char* file : {"r.md", "r.html"}) {
        EXPECT_NE(only(*renderReport(report, file, {})).find("Image sizes differ: 224"), std::string::npos)
            << file;
    }
}

TEST(Report, ChartsStandBesideMarkdownAndInsideHtml) {
    const Report report = buildReport(test::smallSet(), vocabulary());
    const auto markdown = renderReport(report, "out/my report.md", test::fakeRenderer());
    ASSERT_EQ(markdown->size(), 7U);
    EXPECT_EQ(markdown->at(1).path, "out/my report-1.svg");
    EXPECT_NE(only(*markdown).find("![Throughput, images/s](my%20report-1.svg)"), std::string::npos);
    const auto html = renderReport(report, "r.html", test::fakeRenderer());
    EXPECT_EQ(html->size(), 1U);
    EXPECT_NE(only(*html).find("<title>Speedup</title></svg>"), std::string::npos);
}

TEST(Report, WithoutARendererItSaysThatThePicturesNeedTheFullBuild) {
    const Report report = buildReport(test::smallSet(), vocabulary());
    for (const char* file : {"r.md", "r.html"}) {
        EXPECT_NE(only(*renderReport(report, file, {})).find("The pictures need the full build"),
                  std::string::npos);
    }
}

TEST(Report, ARendererThatFailsIsAnErrorAndNothingIsWritten) {
    const Folder folder;
    const Report report = buildReport(test::smallSet(), vocabulary());
    const ChartRenderer broken = [](const ChartSpec&, int, int) -> Result<std::string> {
        return fail("no fonts", "", "", ErrorKind::Work);
    };
    for (const char* file : {"r.md", "r.html"}) {
        EXPECT_FALSE(writeReport(report, folder.path() / file, {.svg = broken}));
        EXPECT_FALSE(fs::exists(folder.path() / file));
    }
}

TEST(Report, PartsCanBeLeftOut) {
    Report report = buildReport(test::smallSet(), vocabulary());
    report.parts = {ReportPart::Results};
    for (const char* file : {"r.md", "r.html"}) {
        const std::string text = only(*renderReport(report, file, test::fakeRenderer()));
        EXPECT_NE(text.find("1,250.50"), std::string::npos);
        for (const char* absent : {"<svg", ".svg", "Method", "Repetitions", "Findings", "trains"}) {
            EXPECT_EQ(text.find(absent), std::string::npos) << file << " " << absent;
        }
    }
}

TEST(Report, PartsStandInTheOrderChosen) {
    Report report = buildReport(test::smallSet(), vocabulary());
    ASSERT_FALSE(report.findings.empty());
    report.parts = {ReportPart::Method, ReportPart::Results, ReportPart::Charts, ReportPart::Findings,
                    ReportPart::Summary};
    const std::string text = only(*renderReport(report, "r.md", test::fakeRenderer()));
    std::size_t at = 0;
    for (const char* next : {"## Method", "## ResNet50", "### Results", "![Throughput", "## Findings",
                             "## ResNet50", " trains "}) {
        at = text.find(next, at + 1);
        ASSERT_NE(at, std::string::npos) << next;
    }
}

TEST(Report, TheUsersSummaryStandsInPlaceOfTheComputedOne) {
    Report report = buildReport(test::smallSet(), vocabulary());
    ASSERT_FALSE(report.sections.front().summary.empty());
    report.sections.front().ownSummary = "We <bought> the right cable.";
    const std::string text = only(*renderReport(report, "r.html", test::fakeRenderer()));
    EXPECT_NE(text.find("We &lt;bought&gt; the right cable."), std::string::npos);
    EXPECT_EQ(text.find(report.sections.front().summary), std::string::npos);
}

TEST(Report, OtherEndingsNameThoseThatWork) {
    for (const char* file : {"r.docx", "r", "r.html.exe"}) {
        const auto files = renderReport({}, file, {});
        ASSERT_FALSE(files) << file;
        EXPECT_EQ(files.error().kind, ErrorKind::Input);
        EXPECT_NE(files.error().remedy.find(".md, .html, .pdf, .tex, .xlsx, .csv or .json"),
                  std::string::npos);
    }
    EXPECT_TRUE(renderReport({}, "R.HTML", {}));
}

TEST(Report, IsWrittenWithItsChartsIntoANewFolder) {
    const Folder folder;
    const fs::path path = folder.path() / "new" / "report.md";
    const auto written = writeReport(buildReport(test::smallSet(), vocabulary()), path, test::fakeRenderer());
    ASSERT_TRUE(written);
    std::size_t bytes = 0;
    std::size_t count = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(path.parent_path())) {
        ++count;
        bytes += file.file_size();
    }
    EXPECT_EQ(written->count, count);
    EXPECT_EQ(written->bytes, bytes);
    EXPECT_TRUE(fs::exists(path));
    EXPECT_TRUE(fs::exists(folder.path() / "new" / "report-5.svg"));
}

TEST(Report, TakesFactsFindingsAndScriptsFromTheRunFolders) {
    const Folder folder;
    const auto workspace = store::Workspace::open(folder.path());
    store::RunRecord record = store::test::someRecord();
    record.facts = {
        {"nodes",
         {{{"name", "node1"}, {"facts", {"gpu=0, Tesla V100", "cpu=Xeon", "empty=", "machine=3f2a"}}},
          {{"name", "node2"}, {"facts", {"cpu=Xeon", "interface=eth0 1000 used 10.0.0.2/24"}}}}},
        {"findings",
         {{{"kind", "k"}, {"what", "a clock steps back"}, {"where", "node0.log:7"}},
          {{"kind", "k"}, {"what", "a clock steps back"}, {"where", "node1.log:7"}}}}};
    const fs::path run = store::test::putRun(*workspace, record);
    std::ofstream(run / "launch.sh") << "exec train ```\n";
    record.result.repetition = 2;
    record.result.id = "c1/2";
    record.facts["nodes"][1]["facts"][1] = "interface=eth0 1000 used 10.0.0.3/24 fd00::3/64";
    const fs::path other = store::test::putRun(*workspace, record);
    std::ofstream(folder.path() / "secret") << "what no report should quote\n";
    fs::create_symlink(folder.path() / "secret", other / "launch.sh");
    Report report = buildReport(store::readResults(*workspace)->results, vocabulary());
    addWorkspaceFacts(report, *workspace);
    ASSERT_EQ(report.environment.rows.size(), 4U);  // the same fact once
    EXPECT_EQ(report.environment.rows[0][1].text, "gpu");
    EXPECT_EQ(report.environment.rows[3][2].text, "eth0 1000 used") << "no addresses";
    ASSERT_EQ(report.findings.size(), 1U);  // of two repetitions
    EXPECT_NE(report.findings[0].find(
                  "Remark on a run: repetition 1, node0.log:7: a clock steps back; repetition 2 likewise"),
              std::string::npos)
        << report.findings[0];
    ASSERT_EQ(report.scripts.size(), 1U);
    EXPECT_NE(only(*renderReport(report, "r.md", {})).find("````bash\nexec train ```\n````"),
              std::string::npos);
}

TEST(Report, FactsOfAnyShapeDoNoHarm) {
    const Folder folder;
    const auto workspace = store::Workspace::open(folder.path());
    for (const Json& facts : {Json{{"nodes", 7}}, Json{{"nodes", {1, "x", nullptr}}},
                              Json{{"nodes", {{{"facts", 3}}}}}, Json{{"findings", {{"what", 1}}}}}) {
        store::RunRecord record = store::test::someRecord();
        record.facts = facts;
        store::test::putRun(*workspace, record);
        Report report = buildReport(store::readResults(*workspace)->results, vocabulary());
        addWorkspaceFacts(report, *workspace);
        EXPECT_TRUE(report.environment.rows.empty());
    }
}

// Every text of a result says "close this, run that, leave the folder".
const std::string hostile =
    "</td></table><script>alert(1)</script>|`![x](http://e.vil)`\n=cmd\"'\x1b[31m\xff";

std::vector<RunResult> hostileRuns() {
    RunResult run = test::ownRun({1, 1}, 1, 10);
    Configuration& configuration = run.benchmarkCase.configuration;
    configuration = {hostile, hostile, hostile, hostile, hostile, {hostile}, {{hostile, hostile}}, 8};
    run.campaign = hostile;
    run.id = hostile;
    run.unit = hostile;
    run.format = hostile;
    run.folder = "../../" + hostile;
    RunResult failed = run;
    failed.benchmarkCase.topology = {1, 2};
    failed.outcome = Outcome::Failed;
    failed.reason = hostile;
    RunResult excluded = run;
    excluded.repetition = 2;
    excluded.excluded = true;
    excluded.exclusionReason = hostile;
    return {run, failed, excluded};
}

TEST(HostileTexts, StayTextInHtml) {
    Report report = buildReport(hostileRuns(), vocabulary(), hostile);
    report.scripts.push_back({hostile, hostile});
    report.environment.rows.push_back({textCell(hostile), textCell(hostile), textCell(hostile)});
    const std::string html = only(*renderReport(report, "r.html", {}));
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
    EXPECT_EQ(html.find('\x1b'), html.rfind('\x1b'));  // in the script alone, which is shown as it is
    EXPECT_EQ(html.find('\xff'), std::string::npos);
}

TEST(HostileTexts, StayTextInMarkdownTables) {
    const Report report = buildReport(hostileRuns(), vocabulary(), hostile);
    const std::string markdown = only(*renderReport(report, "r.md", {}));
    EXPECT_EQ(markdown.find("<script"), std::string::npos);
    EXPECT_EQ(markdown.find("\n=cmd"), std::string::npos);
    EXPECT_EQ(markdown.find("![x]"), std::string::npos);
    EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
    EXPECT_EQ(escapeMarkdown("a|b"), "a\\|b");
    EXPECT_EQ(escapeMarkdown("image_size _x_"), "image_size \\_x\\_");
}

TEST(HostileTexts, AreNoFormulasInCsv) {
    EXPECT_EQ(csvText("=1+1"), "'=1+1");
    EXPECT_EQ(csvText("+1"), "'+1");
    EXPECT_EQ(csvText("-1"), "'-1");
    EXPECT_EQ(csvText("@x"), "'@x");
    EXPECT_EQ(csvText("\tx"), "'\tx");
    EXPECT_EQ(csvText("a=b"), "a=b");
    EXPECT_EQ(csvText("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
    EXPECT_EQ(csvText("a\x1b[31m\x7f\u009Bb"), "a [31m  b");
    EXPECT_EQ(csvText("pdf\u202Etxt.\u2066x\u2069"), "pdf txt. x ");
    EXPECT_EQ(csvNumber(-1.5), "-1.5");  // a figure is a figure
    const std::string csv = only(*renderReport(buildReport(hostileRuns(), vocabulary()), "r.csv", {}));
    EXPECT_EQ(csv.find('\xff'), std::string::npos);
}

TEST(HostileTexts, JsonIsStillJson) {
    EXPECT_TRUE(
        parseJson(only(*renderReport(buildReport(hostileRuns(), vocabulary()), "r.json", {})), "r.json"));
}

// Of a run.json of others; their tables are still tables.
TEST(HostileTexts, NamesWithoutEndAreCut) {
    const std::string endless(4'000, 'x');
    std::vector<RunResult> runs = hostileRuns();
    for (RunResult& run : runs) {
        Configuration& configuration = run.benchmarkCase.configuration;
        configuration.framework = configuration.implementation = configuration.model = endless;
        configuration.precision = endless;
        configuration.features = {endless};
    }
    Report report = buildReport(runs, vocabulary());
    const std::string markdown = only(*renderReport(report, "r.md", {}));
    EXPECT_EQ(markdown.find(std::string(100, 'x')), std::string::npos);
    EXPECT_NE(markdown.find(std::string(64, 'x') + "…"), std::string::npos);
}

TEST(Tables, AreNotAsWideAsTheirLongestCellOnATerminal) {
    std::string value;
    for (int i = 0; i < 100; ++i) {
        value += "値" + std::to_string(i);
    }
    const std::string text = toTerminal({{{"A"}}, {{textCell("args=" + value)}, {textCell("args=x")}}});
    EXPECT_NE(text.find("args=値0値1"), std::string::npos);
    EXPECT_NE(text.find("…"), std::string::npos);
    EXPECT_NE(text.find("値98値99\n"), std::string::npos) << "its end may be what differs";
    EXPECT_LE(std::ranges::count(text, '-'), 320) << "its rule is as wide";
    EXPECT_NE(toMarkdown({{{"A"}}, {{textCell(value)}}}).find(value), std::string::npos) << "files have all";
}

TEST(Tables, AlignOnATerminalWhateverTheScript) {
    const Table table{{{"Name"}, {"Speed", true}},
                      {{textCell("速度"), textCell("1.00")}, {textCell("é"), textCell("12.00")}}};
    EXPECT_EQ(toTerminal(table),
              "Name  Speed\n"
              "----  -----\n"
              "速度   1.00\n"
              "é     12.00\n");
    EXPECT_EQ(toMarkdown(table), "| Name | Speed |\n| --- | ---: |\n| 速度 | 1.00 |\n| é | 12.00 |\n");
    EXPECT_EQ(toTerminal({{{"A"}}, {{textCell("x\x1b[2Jy\u009Bz\n")}}}), "A\n---------\nx [2Jy z\n");
    EXPECT_EQ(toTerminal({{{"A"}}, {{textCell("x\u202Ey\u2067z\u2029\u202F—")}}}),
              "A\n--------\nx y z \u202F—\n");
}

TEST(PublishedReport, TheWholeCollectionCanBeWritten) {
    const Report report = buildReport(test::published(), vocabulary());
    for (const char* file : {"r.md", "r.html", "r.csv", "r.json"}) {
        const auto files = renderReport(report, file, test::fakeRenderer());
        ASSERT_TRUE(files) << file;
        EXPECT_NE(only(*files).find(std::string(file).ends_with("csv") || std::string(file).ends_with("json")
                                        ? "12411.97"
                                        : "12,411.97"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace dlperf::report
