// SPDX-License-Identifier: Apache-2.0
// What was measured of the hardware, from the workspace's files to tables and sentences.
#include "core/report/hardware.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/base/mapped.h"
#include "tests/report/report_fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::report {
namespace {

using store::test::Folder;
using test::measuredHardware;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> textsOf(const std::vector<TableCell>& row) {
    return mapped(row, &TableCell::text);
}

std::string markdownOf(const Report& report) {
    return test::only(*renderReport(report, "r.md", {}));
}

TEST(Hardware, IsReadFromTheFilesThatAreThere) {
    const Folder folder;
    const auto workspace = test::orThrow(store::Workspace::open(folder.path()));
    EXPECT_TRUE(readHardwareBaselines(workspace).isEmpty());
    ASSERT_TRUE(cluster::writeLinkBaseline(workspace.linkBaseline(), *measuredHardware().links));
    std::ofstream(workspace.dataBaseline()) << "{";
    Report report = buildReport(test::smallSet(), test::vocabulary());
    addWorkspaceFacts(report, workspace);
    ASSERT_TRUE(report.hardware.links);
    EXPECT_EQ(cluster::toJson(*report.hardware.links), cluster::toJson(*measuredHardware().links));
    EXPECT_FALSE(report.hardware.compute);
    EXPECT_THAT(report.hardware.unreadable, ElementsAre(HasSubstr("data.json")));
    EXPECT_THAT(markdownOf(report),
                AllOf(HasSubstr("Measurements that cannot be read:"), HasSubstr("measured 2026-11-21"),
                      Not(HasSubstr("What each node computes"))));
}

TEST(Hardware, APairHasItsBandwidthAndLatencyOrNeither) {
    const HardwarePart part = hardwarePart(*measuredHardware().links);
    ASSERT_THAT(part.table.rows, SizeIs(8));
    EXPECT_THAT(textsOf(part.table.rows[0]), ElementsAre("node1 – node2", "10", "0.01"));
    EXPECT_THAT(textsOf(part.table.rows[2]), ElementsAre("node2 – node3", "missing", "missing"));
    EXPECT_EQ(part.table.rows[2][1].note, "node3: no route to host");
    EXPECT_THAT(textsOf(part.table.rows[3]), ElementsAre("All 3 nodes together", "3.33", "0.04"));
    EXPECT_THAT(textsOf(part.table.rows[4]),
                ElementsAre("node1 to node2, while all nodes exchange", "8", "–"));
    EXPECT_THAT(textsOf(part.table.rows[7]), ElementsAre("The 4 devices of node1", "75", "0.002"));
    EXPECT_EQ(part.slowHeading, "Slow links:");
    EXPECT_THAT(part.slow,
                ElementsAre(HasSubstr("node1 and node3: 2.5 GB/s"), HasSubstr("node1 and node3: 0.04 ms"),
                            HasSubstr("node3 to node1: 1 GB/s while all")));
    EXPECT_THAT(missingTexts(part.missing), ElementsAre("between node2 and node3: node3: no route to host"));
}

TEST(Hardware, ItIsSaidWhichWayMessagesWent) {
    cluster::LinkBaseline links = *measuredHardware().links;
    EXPECT_THAT(hardwarePart(links).method, HasSubstr("links from GPU to GPU are not measured"));
    links.by = "nccl 2.28.9, from GPU to GPU";
    EXPECT_EQ(hardwarePart(links).method, "All-reduces from GPU to GPU, by NCCL");
    links.pairs[0].series.by = "gloo, by way of the hosts";
    EXPECT_EQ(hardwarePart(links).method, "All-reduces from GPU to GPU, by NCCL; 1 of 4 by way of the hosts");
    links.within[0].ncclTests = test::measuredLink(4, 0.0015);
    EXPECT_THAT(textsOf(hardwarePart(links).table.rows.back()),
                ElementsAre("By nccl-tests, the 4 devices of node1", "100", "0.0015"));
}

TEST(Hardware, OfVeryManyPairsTheSlowestAreShown) {
    cluster::LinkBaseline baseline;
    for (int i = 0; i < 300; ++i) {
        baseline.pairs.push_back({"a", "b" + std::to_string(i), test::measuredLink(2, 0.01 + i * 1e-5)});
    }
    baseline.pairs.push_back({"a", "c", {.missing = "it was switched off"}});
    const HardwarePart part = hardwarePart(baseline);
    ASSERT_THAT(part.table.rows, SizeIs(100));
    EXPECT_EQ(part.table.rows[0][0].text, "a – b299");
    EXPECT_THAT(missingTexts(part.missing), ElementsAre("between a and c: it was switched off"));
    EXPECT_THAT(part.notes, ElementsAre("Of 301 pairs these are the 100 slowest"));
}

TEST(Hardware, OfVeryManyMissingPartsTheFirstAreTold) {
    const auto texts = missingTexts(std::vector<MissingPart>(25, {"node a", "gone"}));
    ASSERT_THAT(texts, SizeIs(21));
    EXPECT_EQ(texts.front(), "node a: gone");
    EXPECT_EQ(texts.back(), "and 5 more");
    EXPECT_THAT(missingTexts({}), IsEmpty());
}

TEST(Hardware, NodesHaveARowEachAndSlowOnesAreNamed) {
    const HardwarePart compute = hardwarePart(*measuredHardware().compute);
    EXPECT_THAT(textsOf(compute.table.rows.at(2)),
                ElementsAre("node3", "300.50", "300.00", "301.00", "2", "64 \u00D7 224 px, cuda"));
    EXPECT_THAT(compute.slow, ElementsAre(HasSubstr("node3 computes 33.")));
    const HardwarePart data = hardwarePart(*measuredHardware().data);
    EXPECT_THAT(textsOf(data.table.rows.at(0)),
                ElementsAre("node1", "1,200.00", "900.00", "2,100.50", "9,000", "/data/images"));
    EXPECT_THAT(textsOf(data.table.rows.at(1)),
                ElementsAre("node2", "missing", "missing", "–", "0", "/data/images"));
    EXPECT_THAT(data.notes, ElementsAre(HasSubstr("node3: files may have been in the page cache")));
    EXPECT_THAT(data.slow, ElementsAre(HasSubstr("node3 reads 400 MB/s")));
    EXPECT_THAT(data.missing, SizeIs(1));
}

TEST(Hardware, OneNodeAloneIsNotCompared) {
    auto baseline = *measuredHardware().compute;
    baseline.nodes.resize(1);
    EXPECT_EQ(hardwarePart(baseline).slowHeading, "");
    baseline.nodes.push_back(baseline.nodes[0]);
    EXPECT_EQ(hardwarePart(baseline).slowHeading, "No node is slow beside the others");
}

TEST(Hardware, AReportHoldsItOnlyWhereItIsChosen) {
    Report report = buildReport(test::smallSet(), test::vocabulary());
    EXPECT_THAT(markdownOf(report), Not(HasSubstr("## Hardware")));
    report.hardware = measuredHardware();
    EXPECT_THAT(markdownOf(report), HasSubstr("## Hardware"));
    EXPECT_THAT(test::only(*renderReport(report, "r.tex", test::fakeRenderer())),
                HasSubstr("\\caption{Hardware: Links between the nodes, measured 2026-11-21}"));
    report.parts = {ReportPart::Results};
    EXPECT_THAT(markdownOf(report), Not(HasSubstr("## Hardware")));
    EXPECT_FALSE(Json::parse(test::only(*renderReport(report, "r.json", {}))).contains("hardware"));
}

// As `dlperf bench --json` writes it, so that one reader serves for both.
TEST(Hardware, InJsonItIsTheFilesOfTheWorkspace) {
    Report report = buildReport(test::smallSet(), test::vocabulary());
    report.hardware = measuredHardware();
    report.hardware.unreadable = {"data.json: no JSON"};
    const Json json = Json::parse(test::only(*renderReport(report, "r.json", {}))).at("hardware");
    EXPECT_EQ(json.at("compute"), cluster::toJson(*report.hardware.compute));
    EXPECT_TRUE(cluster::dataBaselineFromJson(json.at("data"), "r.json"));
    EXPECT_EQ(json.at("problems"), Json(report.hardware.unreadable));
}

// A name may be anything that a file says.
TEST(Hardware, NamesOfNodesAreTextsInEveryDialect) {
    Report report = buildReport(test::smallSet(), test::vocabulary());
    report.hardware = measuredHardware();
    report.hardware.compute->nodes[2].node = "<b>|x\\input{y}\x1b[31m";
    EXPECT_THAT(test::only(*renderReport(report, "r.html", {})),
                AllOf(HasSubstr("&lt;b&gt;|x"), Not(HasSubstr("<b>|")), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(markdownOf(report), Not(HasSubstr("<b>|x")));
    EXPECT_THAT(test::only(*renderReport(report, "r.tex", test::fakeRenderer())),
                AllOf(HasSubstr("\\textbackslash"), Not(HasSubstr("\\input{y}"))));
}

}  // namespace
}  // namespace dlperf::report
