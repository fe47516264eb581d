// SPDX-License-Identifier: Apache-2.0
// The section of a report that says where throughput goes, and what to try.
#include "core/tuning/report_losses.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/report/report.h"
#include "core/store/run_record.h"
#include "tests/report/report_fixture.h"
#include "tests/store/fixture.h"
#include "tests/support/made_workspace.h"

namespace dlperf::tuning {
namespace {

using report::test::only;
using report::test::vocabulary;
using store::test::Folder;
using testing::HasSubstr;

// From a log's last lines to the report's table, chart and words.
TEST(ReportLosses, SayWhereTheThroughputGoes) {
    const Folder folder;
    const auto workspace = store::Workspace::open(folder.path());
    const auto put = [&](const Topology& topology, double throughput, const std::string& ranks) {
        store::RunRecord record = store::test::someRecord(topology, 1, throughput);
        record.result.format = "dlperf-worker";
        record.facts = {{"nodes", {{{"name", "n1"}}}}};
        const MeasurementRange& range = record.result.range;
        std::ofstream(store::test::putRun(*workspace, record) / "node0.log")
            << "# ranks: means of iterations " << range.warmup + 1 << " to " << range.train << "\n"
            << ranks;
    };
    put({1, 1}, 100, "# rank 0: compute 1.0 s data 0.0 s comm 0.0 s\n# exchange: 0.0 s\n");
    put({1, 2}, 160,
        "# rank 0: compute 1.0 s data 0.0 s comm 0.25 s\n# rank 1: compute 1.0 s data 0.0 s comm 0.25 s\n"
        "# exchange: 0.25 s\n");
    const auto results = store::readResults(*workspace)->results;
    report::Report report = report::buildReport(results, vocabulary());
    EXPECT_EQ(only(*report::renderReport(report, "r.md", {})).find("## Where it goes"), std::string::npos);
    addLosses(report, *workspace, vocabulary(), analysis::FormatBook());
    ASSERT_EQ(report.losses.size(), 1U);
    const auto files = report::renderReport(report, "r.md", report::test::fakeRenderer());
    const std::string text = files->front().bytes;
    EXPECT_NE(text.find("## Where it goes"), std::string::npos);
    EXPECT_NE(text.find("![Where it goes"), std::string::npos);
    EXPECT_NE(text.find("| 1n2g | 80.0\u00A0% | 20.0\u00A0% | 20.0\u00A0% |"), std::string::npos) << text;
    EXPECT_NE(text.find("20.0\u00A0% communication: The exchange"), std::string::npos);
    report.parts = {report::ReportPart::Results};
    EXPECT_EQ(report::renderReport(report, "r.md", {})->front().bytes.find("## Where it goes"),
              std::string::npos);
}

TEST(ReportLosses, AreNeitherDroppedWithoutAWordNorToldWhereThereAreNone) {
    const auto reportOf = [](double onTwo, const std::string& ranks) {
        const Folder folder;
        const auto workspace = store::Workspace::open(folder.path());
        for (const auto& [topology, throughput] : {std::pair(Topology{1, 1}, 100.0), {{1, 2}, onTwo}}) {
            store::RunRecord record = store::test::someRecord(topology, 1, throughput);
            record.result.format = "dlperf-worker";
            const MeasurementRange& range = record.result.range;
            std::ofstream(store::test::putRun(*workspace, record) / "node0.log")
                << "# ranks: means of iterations " << range.warmup + 1 << " to " << range.train << "\n"
                << ranks;
        }
        report::Report report = report::buildReport(store::readResults(*workspace)->results, vocabulary());
        addLosses(report, *workspace, vocabulary(), analysis::FormatBook());
        return only(*report::renderReport(report, "r.md", {}));
    };
    const std::string unknown = reportOf(175, "");
    EXPECT_THAT(unknown, HasSubstr("## Where it goes"));
    EXPECT_THAT(unknown, HasSubstr("No cause is known of what these lose: "));
    EXPECT_THAT(unknown, HasSubstr(": 12.5\u00A0% on 1n2g."));
    EXPECT_THAT(unknown, testing::Not(HasSubstr("| Lost |")));
    EXPECT_THAT(reportOf(200, "# rank 0: compute 1.0 s data 0.00001 s comm 0.0 s\n# exchange: 0.0 s\n"),
                testing::Not(HasSubstr("Where it goes")));
}

TEST(ReportLosses, SayWhatToTryAgainstTheLossOfTheLargestTopology) {
    const Folder folder;
    const auto workspace = store::Workspace::open(folder.path());
    ASSERT_TRUE(dlperf::test::makeCampaign(*workspace, 100));
    report::Report report = report::buildReport(store::readResults(*workspace)->results, vocabulary());
    addLosses(report, *workspace, vocabulary(), analysis::FormatBook());
    ASSERT_FALSE(report.losses.empty());
    EXPECT_THAT(
        report.losses[0].tries,
        testing::Contains(HasSubstr("Twice the batch size: batch size: 32 -> 64. An iteration computes ")));
    const std::string text =
        report::renderReport(report, "r.md", report::test::fakeRenderer())->front().bytes;
    EXPECT_THAT(text, HasSubstr("What to try:\n\n- "));
    report.language = "zh_CN";
    const std::string chinese =
        report::renderReport(report, "r.md", report::test::fakeRenderer())->front().bytes;
    EXPECT_THAT(chinese, testing::Not(HasSubstr("What to try")));
    EXPECT_THAT(chinese, testing::Not(HasSubstr("Twice the batch size")));
}

}  // namespace
}  // namespace dlperf::tuning
