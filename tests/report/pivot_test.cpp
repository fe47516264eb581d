// SPDX-License-Identifier: Apache-2.0
#include "core/report/pivot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/text.h"
#include "core/report/compare_view.h"
#include "core/report/numbers.h"
#include "core/report/report.h"
#include "tests/report/fixture.h"

namespace dlperf::report {
namespace {

using test::ownRun;

Pivot pivotOfResults(const std::vector<RunResult>& results, const PivotLayout& layout) {
    return pivotOf(compare(results, test::vocabulary()), test::vocabulary(), layout);
}

// "1n8g 32: – 934.23 …", a line a row.
std::vector<std::string> linesOf(const Pivot& pivot) {
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < pivot.rows.size(); ++row) {
        std::string line = join(pivot.rows[row].texts, " ") + ":";
        for (const PivotCell& cell : pivot.cells[row]) {
            line += " " + cellText(pivot, cell) + (cell.isBest ? "*" : "");
        }
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> columnsOf(const Pivot& pivot) {
    std::vector<std::string> texts;
    std::ranges::transform(pivot.columns, std::back_inserter(texts), headingText);
    return texts;
}

RunResult withBatch(RunResult result, int batchSize) {
    result.benchmarkCase.configuration.batchSize = batchSize;
    result.id += "-" + std::to_string(batchSize);
    return result;
}

Pivot pivotOfView(const std::string& name) {
    const auto workspace = test::orThrow(store::Workspace::open(testing::TempDir() + "/pivot-views"));
    const StoredViews stored = readViews(test::resources(), workspace);
    EXPECT_TRUE(stored.problems.empty());
    EXPECT_TRUE(stored.builtIn.contains(name));
    const CompareView& view = stored.values.at(name);
    std::vector<RunResult> chosen;
    std::ranges::copy_if(test::published(), std::back_inserter(chosen),
                         [&](const RunResult& result) { return view.filter.passes(result); });
    return pivotOfResults(chosen, view.pivot);
}

TEST(Pivot, HoldsTheFiveFrameworksTablesAsTheyWerePublished) {
    const Pivot pivot = pivotOfView("Five frameworks by batch size");
    EXPECT_EQ(columnsOf(pivot),
              (std::vector<std::string>{"OneFlow", "PyTorch", "TensorFlow 2.x", "MXNet", "PaddlePaddle"}));
    const auto lines = linesOf(pivot);
    ASSERT_EQ(lines.size(), 24U);  // six topologies, four batch sizes
    EXPECT_EQ(lines[0], "1n1g 32: – 306.82 217.57 – 311.51*");
    EXPECT_EQ(lines[15], "1n8g 160: 2,942.32* 1,079.27 2,626.03 – 1,442.32");
    EXPECT_EQ(lines[19], "2n8g 160: 5,839.05* 2,386.48 OOM – 5,128.92");
    EXPECT_EQ(lines[23], "4n8g 160: 11,548.45* 5,594.45 9,869.94 – 10,087.09");
    EXPECT_EQ(pivot.common, "ResNet50 v1.5, fp32");
    EXPECT_TRUE(pivot.mixed.empty());
    EXPECT_EQ(countsText(pivot), "83 of 120 cells have a figure; out of memory: 1; announced: 36");
    EXPECT_NEAR(pivot.bestToNext[0].value(), 311.51 / 306.82 - 1, 1e-12);
    const PivotCell& cell = pivot.cells[15][2];
    EXPECT_NE(cell.tip.find("−10.7\u00A0% against OneFlow"), std::string::npos) << cell.tip;
    EXPECT_NE(cell.tip.find("7.81×"), std::string::npos) << cell.tip;
}

TEST(Pivot, HoldsTheTablesOfDlperfsReadme) {
    const Pivot pivot = pivotOfView("DLPerf's README: ResNet50");
    EXPECT_EQ(columnsOf(pivot), (std::vector<std::string>{"fp32, 128", "amp, 196", "amp, 224", "amp, 256"}));
    EXPECT_EQ(linesOf(pivot)[0], "OneFlow : 12,411.97* – – 33,141.02*");
    EXPECT_FALSE(ranksRows(pivot.layout));
    EXPECT_TRUE(pivot.bestToNext.empty());
    EXPECT_EQ(pivot.mixed, std::vector<std::string>{"Model differs: ResNet50 v1.5; ResNet50 v1b."});
    EXPECT_EQ(pivotOfView("DLPerf's README: BERT").rows.size(), 9U);
}

// A reader who sees one figure twice, and one of them bold, looks for a difference.
TEST(Pivot, MarksAllThatShowTheBestFigure) {
    const std::vector<RunResult> runs{
        withBatch(ownRun({1, 1}, 1, 250.001), 32), withBatch(ownRun({1, 1}, 1, 250.002), 64),
        withBatch(ownRun({1, 2}, 1, 250.002), 32), withBatch(ownRun({1, 2}, 1, 300), 64)};
    PivotLayout layout{.rows = {PivotField::Topology}, .columns = {PivotField::BatchSize}};
    EXPECT_EQ(linesOf(pivotOfResults(runs, layout)),  // of its column
              (std::vector<std::string>{"1n1g: 250.00* 250.00", "1n2g: 250.00* 300.00*"}));
    std::vector<RunResult> others = runs;
    for (RunResult& run : others) {
        run.benchmarkCase.configuration.variant = {{"batch", run.id.substr(run.id.rfind('-'))}};
        run.benchmarkCase.configuration.batchSize = 32;
    }
    layout.columns = {PivotField::Options};
    EXPECT_EQ(linesOf(pivotOfResults(others, layout)),  // of its row
              (std::vector<std::string>{"1n1g: 250.00* 250.00*", "1n2g: 250.00 300.00*"}));
}

// As people count: 8 before 16.
TEST(Pivot, SortsOptionsByTheirNumbers) {
    std::vector<RunResult> runs;
    for (const char* workers : {"16", "8"}) {
        RunResult run = ownRun({1, 1}, 1, 100);
        run.benchmarkCase.configuration.variant = {{"workers", workers}};
        run.id += workers;
        runs.push_back(std::move(run));
    }
    const Pivot pivot =
        pivotOfResults(runs, {.rows = {PivotField::Topology}, .columns = {PivotField::Options}});
    EXPECT_EQ(columnsOf(pivot), (std::vector<std::string>{"workers=8", "workers=16"}));
}

TEST(Pivot, ComparesWithAColumnOrWithTheBestOfTheRow) {
    PivotLayout layout{
        .rows = {PivotField::Topology}, .columns = {PivotField::BatchSize}, .comparedTo = "64"};
    const std::vector<RunResult> runs{withBatch(ownRun({1, 1}, 1, 200), 32),
                                      withBatch(ownRun({1, 1}, 1, 250), 64),
                                      withBatch(ownRun({1, 2}, 1, 300), 32)};
    Pivot pivot = pivotOfResults(runs, layout);
    EXPECT_EQ(linesOf(pivot), (std::vector<std::string>{"1n1g: −20.0\u00A0% 250.00*", "1n2g: 300.00* –"}));
    EXPECT_EQ(pivot.cells[0][0].heat, -1);
    EXPECT_FALSE(pivot.cells[0][1].heat);
    EXPECT_FALSE(pivot.cells[1][0].difference);  // its baseline has no figure
    layout.comparedTo = bestOfRow;
    pivot = pivotOfResults(runs, layout);
    EXPECT_EQ(linesOf(pivot), (std::vector<std::string>{"1n1g: −20.0\u00A0% 250.00*", "1n2g: 300.00* –"}));
    layout.comparedTo = "128";  // of other results
    EXPECT_EQ(pivotOfResults(runs, layout).layout.comparedTo, "");
}

// A program that reads a column finds figures in it, or shares.
TEST(Pivot, FilesKeepFiguresApartFromDifferences) {
    PivotLayout layout{
        .rows = {PivotField::Topology}, .columns = {PivotField::BatchSize}, .comparedTo = "64"};
    const std::vector<RunResult> runs{withBatch(ownRun({1, 1}, 1, 125), 32),
                                      withBatch(ownRun({1, 1}, 1, 250), 64),
                                      withBatch(ownRun({1, 2}, 1, 300), 32)};
    const auto fileOf = [&](const char* name) {
        return renderReport(pivotReport(pivotOfResults(runs, layout), "x"), name, {})->front().bytes;
    };
    EXPECT_EQ(fileOf("x.csv"),
              "Topology,32,64,\"32, difference to 64\"\r\n1n1g,125,250,-0.5\r\n1n2g,300,,\r\n");
    const Json rows = Json::parse(fileOf("x.json"));
    EXPECT_EQ(rows[0]["32"], 125);
    EXPECT_EQ(rows[0]["32, difference to 64"], -0.5);
    EXPECT_TRUE(rows[1]["32, difference to 64"].is_null());
    EXPECT_NE(fileOf("x.md").find("−50.0"), std::string::npos);
    layout.comparedTo = bestOfRow;
    EXPECT_TRUE(fileOf("x.csv").starts_with("Topology,32,64,\"32, difference to best of the row\",\"64, "));
    layout.comparedTo.clear();
    EXPECT_TRUE(fileOf("x.csv").starts_with("Topology,32,64\r\n"));
}

TEST(Pivot, ShowsTheBestOfCasesThatShareACellAndSaysSo) {
    const Pivot pivot =
        pivotOfResults({withBatch(ownRun({1, 1}, 1, 200), 32), withBatch(ownRun({1, 1}, 1, 250), 64)},
                       {.rows = {PivotField::Topology}, .columns = {PivotField::Framework}});
    EXPECT_EQ(linesOf(pivot), std::vector<std::string>{"1n1g: 250.00"});
    EXPECT_EQ(pivot.cells[0][0].cases, 2);
    EXPECT_NE(pivot.cells[0][0].tip.find("The best of 2 cases:"), std::string::npos);
    const auto notes = pivotNotes(pivot);
    EXPECT_EQ(notes.back(), "1 cell holds several cases and shows the best of them.");
    EXPECT_EQ(pivot.mixed, std::vector<std::string>{"Batch size differs: 32; 64."});
}

TEST(Pivot, SaysWhereCampaignsOrImplementationsAreMixed) {
    RunResult before = ownRun({1, 1}, 1, 200);
    RunResult after = ownRun({1, 2}, 1, 300);
    before.campaign = "20261121-081530-3fa2";
    after.campaign = "20261122-081530-3fa2";
    after.benchmarkCase.configuration.framework = "mxnet";
    after.benchmarkCase.configuration.implementation = "mxnet-examples";
    const Pivot pivot =
        pivotOfResults({before, after}, {.rows = {PivotField::Topology}, .columns = {PivotField::BatchSize}});
    ASSERT_EQ(pivot.mixed.size(), 2U);
    EXPECT_TRUE(pivot.mixed[0].starts_with("Campaign differs: 2026-11-21")) << pivot.mixed[0];
    EXPECT_TRUE(pivot.mixed[1].starts_with("Implementation differs: ")) << pivot.mixed[1];
    EXPECT_TRUE(pivotOfResults({before}, {.rows = {PivotField::Topology}, .columns = {PivotField::BatchSize}})
                    .mixed.empty());
}

TEST(Pivot, KeepsTheNamesOfCampaignsInEveryLanguage) {
    RunResult before = ownRun({1, 1}, 1, 200);
    RunResult after = ownRun({1, 1}, 1, 300);
    before.campaign = "20261121-081530-3fa2";
    after.campaign = "20261122-081530-3fa2";
    const Comparison comparison = withCampaignNames(compare(std::vector{before, after}, test::vocabulary()),
                                                    {{before.campaign, "Before"}, {after.campaign, "After"}});
    const Translation& chinese = Translation::to("zh_CN");
    const auto tableOf = [&](PivotField row, PivotField column) {
        return translated(
            pivotTable(pivotOf(comparison, test::vocabulary(), {.rows = {row}, .columns = {column}})),
            chinese);
    };
    const Table across = tableOf(PivotField::Topology, PivotField::Campaign);
    ASSERT_EQ(across.columns.size(), 4U);
    EXPECT_EQ(across.columns[0].title, chinese("Topology"));
    EXPECT_EQ(across.columns[1].title, "After");
    EXPECT_EQ(across.columns[2].title, "Before");
    const auto both = translated(pivotTable(pivotOf(comparison, test::vocabulary(),
                                                    {.rows = {PivotField::Topology},
                                                     .columns = {PivotField::Campaign, PivotField::Model}})),
                                 chinese);
    EXPECT_TRUE(both.columns[1].title.starts_with("After，")) << both.columns[1].title;
    const Table down = tableOf(PivotField::Campaign, PivotField::Topology);
    ASSERT_EQ(down.rows.size(), 2U);
    EXPECT_EQ(down.rows[0][0].text, "After");
    EXPECT_EQ(down.rows[1][0].text, "Before");
}

TEST(Pivot, CountsWhatIsMissingByItsReason) {
    RunResult oom = withBatch(ownRun({1, 1}, 1, 0), 512);
    oom.outcome = Outcome::Oom;
    oom.throughput.reset();
    RunResult failed = withBatch(ownRun({1, 2}, 1, 0), 32);
    failed.outcome = Outcome::Failed;
    failed.throughput.reset();
    const Pivot pivot = pivotOfResults({withBatch(ownRun({1, 1}, 1, 200), 32), oom, failed},
                                       {.rows = {PivotField::BatchSize}, .columns = {PivotField::Topology}});
    EXPECT_EQ(linesOf(pivot), (std::vector<std::string>{"32: 200.00* failed", "512: OOM –"}));
    EXPECT_EQ(countsText(pivot), "1 of 4 cells have a figure; out of memory: 1; failed: 1; not measured: 1");
}

TEST(Pivot, ShowsOtherValues) {
    const std::vector<RunResult> runs{ownRun({1, 1}, 1, 100), ownRun({1, 4}, 1, 360)};
    const auto lastOf = [&](PivotValue value) {
        const Pivot pivot = pivotOfResults(
            runs, {.rows = {PivotField::Topology}, .columns = {PivotField::Framework}, .value = value});
        return cellText(pivot, pivot.cells[1][0]);
    };
    EXPECT_EQ(lastOf(PivotValue::PerDevice), "90.00");
    EXPECT_EQ(lastOf(PivotValue::Speedup), "3.60×");
    EXPECT_EQ(lastOf(PivotValue::Efficiency), "90.0\u00A0%");
    EXPECT_EQ(lastOf(PivotValue::Memory), missingFigure);
}

TEST(Pivot, ATimeIsNotSharedOutAmongDevices) {
    std::vector<RunResult> runs{ownRun({1, 1}, 1, 8), ownRun({1, 4}, 1, 10)};
    for (RunResult& run : runs) {
        run.unit = "ms/iteration";
    }
    const Pivot pivot = pivotOfResults(
        runs,
        {.rows = {PivotField::Topology}, .columns = {PivotField::Framework}, .value = PivotValue::PerDevice});
    EXPECT_EQ(pivot.cells[1][0].figure, 10);
}

TEST(Pivot, TheLeastTimeIsTheBest) {
    std::vector<RunResult> runs{withBatch(ownRun({1, 1}, 1, 8), 32), withBatch(ownRun({1, 1}, 1, 4), 64)};
    for (RunResult& run : runs) {
        run.unit = "ms";
    }
    const Pivot pivot =
        pivotOfResults(runs, {.rows = {PivotField::BatchSize}, .columns = {PivotField::Topology}});
    EXPECT_EQ(linesOf(pivot), (std::vector<std::string>{"32: 8.000", "64: 4.000*"}));
    EXPECT_EQ(titleOf(PivotValue::Throughput, pivot.unit), "Time, ms");
}

TEST(Pivot, ALayoutIsReadFromTextAndWhatIsWrongIsNamed) {
    const PivotLayout layout = test::orThrow(parsePivotLayout("topology,batch-size:framework:efficiency"));
    EXPECT_EQ(layout.rows, (std::vector{PivotField::Topology, PivotField::BatchSize}));
    EXPECT_EQ(layout.columns, std::vector{PivotField::Framework});
    EXPECT_EQ(layout.value, PivotValue::Efficiency);
    for (const char* wrong : {"", "topology", "a:b:c:d", "topology:", "topology:speed",
                              "topology:framework:x", "topology:topology", "topology,topology:framework"}) {
        const auto parsed = parsePivotLayout(wrong);
        ASSERT_FALSE(parsed) << wrong;
        EXPECT_FALSE(parsed.error().remedy.empty()) << wrong;
    }
}

TEST(Pivot, ADamagedViewIsNamedAndTheOthersStay) {
    const auto workspace = test::orThrow(store::Workspace::open(testing::TempDir() + "/damaged-views"));
    std::filesystem::create_directories(workspace.views());
    const auto problemOf = [&](const char* text) {
        std::ofstream(workspace.views() / "mine.json") << text;
        const StoredViews stored = readViews(test::resources(), workspace);
        EXPECT_TRUE(stored.values.contains("Five frameworks by batch size")) << text;
        return stored.problems.empty() ? std::string() : describe(stored.problems.front());
    };
    for (const char* text : {R"({"pivot": []})", R"({"pivot": {"rows": ["x"]}})",
                             R"({"pivot": {"rows": "x"}})", R"({"mode": "y"})", R"({"mode": 7})", "[]", "{",
                             R"({"pivot": {"rows": ["topology"], "columns": ["topology"]}})"}) {
        EXPECT_NE(problemOf(text).find("mine.json"), std::string::npos) << text;
    }
    EXPECT_EQ(problemOf(R"({"name": 5})"), "");  // it is called by its file
    EXPECT_TRUE(readViews(test::resources(), workspace).values.contains("mine"));
}

TEST(Pivot, AReportOfItAloneIsTheTableInEveryFormat) {
    const Report report =
        pivotReport(pivotOfResults({ownRun({1, 1}, 1, 100), ownRun({1, 4}, 1, 360)},
                                   {.rows = {PivotField::Framework}, .columns = {PivotField::Topology}}),
                    "Mine");
    const auto text = [&](const char* name) {
        return test::orThrow(renderReport(report, name, {})).front().bytes;
    };
    EXPECT_EQ(text("r.csv"), "Framework,1n1g,1n4g\r\ndlperf-worker,100,360\r\n");
    EXPECT_EQ(parseJson(text("r.json"), "json").value(),
              (Json{{{"Framework", "dlperf-worker"}, {"1n1g", 100}, {"1n4g", 360}}}));
    EXPECT_EQ(text("r.md"),
              "# Mine\n\nResNet50 v1.5, fp32, batch size 128\n\n| Framework | 1n1g | 1n4g |\n| --- | ---: | "
              "---: |\n| dlperf-worker | 100.00 | 360.00 |\n\nThroughput, images/s. 2 of 2 cells have a "
              "figure.\n");
    for (const char* name : {"r.tex", "r.html", "r.xlsx"}) {
        EXPECT_FALSE(text(name).empty());
    }
}

}  // namespace
}  // namespace dlperf::report
