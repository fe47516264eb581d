// SPDX-License-Identifier: Apache-2.0
// Templates of reports: what is kept in a file and what it does to a report.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/report/report_template.h"
#include "tests/report/report_fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::report {
namespace {

using test::smallSet;
using test::vocabulary;

ReportTemplate everythingChosen(const Report& report) {
    return {
        .title = "Weekly <b>",
        .language = "zh_CN",
        .parts = {ReportPart::Findings, ReportPart::Summary, ReportPart::Results},
        .files = {"pdf", "tex"},
        .latexParts = true,
        .dated = true,
        .summaries = {{report.sections.front().heading, "It is faster.", report.sections.front().summary}}};
}

TEST(ReportTemplate, IsReadAsItWasWritten) {
    const dlperf::store::test::Folder folder;
    const auto workspace = test::orThrow(store::Workspace::open(folder.path()));
    const ReportTemplate chosen = everythingChosen(buildReport(smallSet(), vocabulary()));
    ASSERT_TRUE(store::writeNamed(workspace.templates(), "../weekly", toJson(chosen)));
    const auto stored = readTemplates(workspace);
    EXPECT_TRUE(stored.problems.empty());
    EXPECT_EQ(stored.values.at("../weekly"), chosen);
    EXPECT_EQ(*parseTemplate(Json::object(), "x"), ReportTemplate());
    ASSERT_TRUE(store::removeNamed(workspace.templates(), "../weekly"));
    EXPECT_TRUE(readTemplates(workspace).values.empty());
}

// Two windows over one workspace.
TEST(ReportTemplate, KeepsWhatTwoWindowsHaveChanged) {
    const dlperf::store::test::Folder folder;
    const auto file = folder.path() / "report.json";
    const ReportTemplate before{.title = "Monday", .summaries = {{"A", "a", "1"}, {"B", "b", "2"}}};
    ReportTemplate mine = before;
    ASSERT_EQ(changeTemplate(file, before, mine).value(), before) << "there was none";
    mine.files = {"csv"};
    mine.summaries = {{"B", "mine", "2"}};
    ReportTemplate theirs = before;
    theirs.parts = {ReportPart::Method};
    theirs.summaries.push_back({"C", "c", "3"});
    EXPECT_EQ(changeTemplate(file, before, mine).value(), mine);
    const ReportTemplate both{.title = "Monday",
                              .parts = {ReportPart::Method},
                              .files = {"csv"},
                              .summaries = {{"B", "mine", "2"}, {"C", "c", "3"}}};
    EXPECT_EQ(changeTemplate(file, before, theirs).value(), both);
    EXPECT_EQ(parseTemplate(*readJsonFile(file), "x").value(), both);
    ASSERT_TRUE(writeFileAtomically(file, "{"));
    EXPECT_EQ(changeTemplate(file, before, theirs).value(), theirs) << "of a file that cannot be read";
}

// Somebody copied it under a file name of his own.
TEST(ReportTemplate, IsReplacedAndRemovedWhateverItsFileIsCalled) {
    const dlperf::store::test::Folder folder;
    const auto workspace = test::orThrow(store::Workspace::open(folder.path()));
    const auto write = [&](const char* file, const char* text) {
        ASSERT_TRUE(makeFolder(workspace.templates()));
        ASSERT_TRUE(writeFileAtomically(workspace.templates() / file, text));
    };
    write("copied from home.json", R"({"name": "weekly", "title": "A"})");
    write("nightly.json", R"({"title": "B"})");
    ASSERT_TRUE(store::writeNamed(workspace.templates(), "weekly", {{"title", "C"}}));
    EXPECT_EQ(readTemplates(workspace).values.at("weekly").title, "C");
    EXPECT_EQ(store::jsonFilesOf(workspace.templates()).size(), 2U);
    write("daily.json", R"({"name": "hourly", "title": "D"})");
    ASSERT_TRUE(store::writeNamed(workspace.templates(), "daily", {{"title", "E"}}));
    EXPECT_EQ(readTemplates(workspace).values.at("hourly").title, "D") << "of another name";
    EXPECT_EQ(readTemplates(workspace).values.at("daily").title, "E");
    for (const char* name : {"weekly", "nightly", "hourly", "daily"}) {
        ASSERT_TRUE(store::removeNamed(workspace.templates(), name));
        EXPECT_FALSE(readTemplates(workspace).values.contains(name)) << name;
    }
    EXPECT_TRUE(store::removeNamed(workspace.templates(), "none"));
}

TEST(ReportTemplate, ADamagedOneIsNamed) {
    for (const char* text :
         {R"({"parts": ["weather"]})", R"({"parts": "summary"})", R"({"files": ["docx"]})",
          R"({"language": "fr"})", R"({"summaries": {}})", R"({"summaries": [{"text": "x"}]})",
          R"({"summaries": [5]})", R"({"latex_parts": 1})", "[]"}) {
        const auto parsed = parseTemplate(Json::parse(text), "weekly.json");
        ASSERT_FALSE(parsed) << text;
        EXPECT_NE(describe(parsed.error()).find("weekly.json"), std::string::npos) << text;
    }
    EXPECT_EQ(parseTemplate(Json::parse(R"({"parts": ["method", "method"]})"), "x")->parts,
              std::vector{ReportPart::Method});
}

TEST(ReportTemplate, APartThatCameLaterJoinsAWholeOneAtItsPlace) {
    using enum ReportPart;
    const auto partsOf = [](const char* text) {
        return test::orThrow(parseTemplate(Json::parse(text), "weekly.json")).parts;
    };
    // Written before there were losses and hardware, with all that there was, in an order of its own.
    EXPECT_EQ(
        partsOf(
            R"({"parts": ["method", "scripts", "summary", "charts", "results", "environment", "findings"]})"),
        (std::vector{Loss, Hardware, Method, Scripts, Summary, Charts, Results, Environment, Findings}));
    EXPECT_EQ(
        partsOf(
            R"({"parts": ["summary", "charts", "results", "loss", "findings", "environment", "method"]})"),
        templateParts());
    // A choice of one's own; without losses where there was hardware, which came after them.
    EXPECT_EQ(
        partsOf(
            R"({"parts": ["summary", "charts", "results", "hardware", "findings", "environment", "method"]})"),
        (std::vector{Summary, Charts, Results, Hardware, Findings, Environment, Method}));
    EXPECT_EQ(partsOf(R"({"parts": ["summary", "results"]})"), (std::vector{Summary, Results}));
    EXPECT_EQ(partsOf(R"({"parts": ["pivot"]})"), std::vector{Pivot});
    ReportTemplate without;
    std::erase(without.parts, Hardware);
    EXPECT_EQ(test::orThrow(parseTemplate(toJson(without), "weekly.json")), without);
    // Of a version to come.
    Json whole = toJson(without);
    whole["left_out"] = Json::array();
    EXPECT_EQ(test::orThrow(parseTemplate(whole, "weekly.json")), ReportTemplate());
    EXPECT_FALSE(parseTemplate(Json::parse(R"({"parts": [], "left_out": ["weather"]})"), "weekly.json"));
}

// Words about figures that have changed would be wrong.
TEST(ReportTemplate, AnOwnSummaryStandsOnlyForItsFigures) {
    Report report = buildReport(smallSet(), vocabulary());
    const ReportTemplate chosen = everythingChosen(report);
    EXPECT_TRUE(applyTemplate(report, chosen).empty());
    EXPECT_EQ(report.sections.front().ownSummary, "It is faster.");
    EXPECT_EQ(report.parts, chosen.parts);
    EXPECT_EQ(report.language, "zh_CN");
    EXPECT_TRUE(report.latexParts);

    auto others = smallSet();
    others.front().throughput = 500;
    others.at(1).throughput = 500;
    Report changed = buildReport(others, vocabulary());
    EXPECT_EQ(applyTemplate(changed, chosen), std::vector{report.sections.front().heading});
    EXPECT_TRUE(changed.sections.front().ownSummary.empty());
}

}  // namespace
}  // namespace dlperf::report
