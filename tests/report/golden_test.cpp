// SPDX-License-Identifier: Apache-2.0
// Reports of a small fixed set of results, byte by byte. After a wanted change: DLPERF_UPDATE_GOLDEN=1
// test_report, and read the difference before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/report/report_fixture.h"

namespace dlperf::report {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(DLPERF_SOURCE_DIR) / "tests" / "report" / "golden";

void expectGolden(const std::string& name, const std::string& bytes) {
    if (std::getenv("DLPERF_UPDATE_GOLDEN") != nullptr) {
        ASSERT_TRUE(writeFileAtomically(golden / name, bytes));
    }
    const auto expected = readFile(golden / name);
    ASSERT_TRUE(expected) << describe(expected.error());
    EXPECT_EQ(bytes, *expected);
}

Report goldenReport() {
    Report report = buildReport(test::smallSet(), test::vocabulary());
    report.environment.rows.push_back({textCell("node1"), textCell("gpu"), textCell("Tesla V100-SXM2-16GB")});
    report.hardware = test::measuredHardware();
    report.scripts.push_back({"dlperf-worker/launch.sh", "#!/bin/bash\nexec dlperf-worker\n"});
    return report;
}

TEST(Golden, Markdown) {
    const auto files = renderReport(goldenReport(), "report.md", {});
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 1U);
    expectGolden("report.md", test::only(*files));
}

TEST(Golden, MarkdownInChinese) {
    Report report = goldenReport();
    report.language = "zh_CN";
    expectGolden("report_zh_CN.md", test::only(*renderReport(report, "report.md", {})));
    expectGolden("readme_zh_CN.md", renderReadme(report, test::vocabulary()));
}

TEST(Golden, Html) {
    const auto files = renderReport(goldenReport(), "report.html", test::fakeRenderer());
    ASSERT_TRUE(files);
    expectGolden("report.html", test::only(*files));
}

TEST(Golden, Csv) {
    expectGolden("report.csv", test::only(*renderReport(goldenReport(), "report.csv", {})));
}

TEST(Golden, Json) {
    expectGolden("report.json", test::only(*renderReport(goldenReport(), "report.json", {})));
}

TEST(Golden, TerminalTable) {
    expectGolden("table.txt", toTerminal(repetitionTable(goldenReport().sections.at(0).comparison)));
}

// One series alone is DLPerf's own layout, key by key.
TEST(JsonReport, OneSeriesHasDlperfsNames) {
    const Report report = buildReport(
        {test::ownRun({1, 1}, 1, 354.44), test::ownRun({1, 2}, 1, 700.5), test::ownRun({1, 2}, 2, 701.5)},
        test::vocabulary());
    const auto json = parseJson(test::only(*renderReport(report, "r.json", {})), "r.json");
    ASSERT_TRUE(json);
    const Json& two = json->at("r50").at("1n2g");
    EXPECT_EQ(two.at("average_speed"), 701.0);
    EXPECT_EQ(two.at("batch_size_per_device"), 128);
    EXPECT_EQ(two.at("median_speed"), 701.0);
    EXPECT_EQ(two.at("speedup"), 1.98);
    EXPECT_EQ(two.at("runs").size(), 2U);
}

}  // namespace
}  // namespace dlperf::report
