// SPDX-License-Identifier: Apache-2.0
// A workspace's own log formats: what is kept, what is refused, and what they are good for later.
#include "core/measure/own_formats.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <thread>

#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "core/base/file.h"
#include "core/measure/reanalyze.h"
#include "core/report/report.h"
#include "core/store/results.h"
#include "tests/report/fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::measure {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<analysis::Format> formatsOf(const std::string& json) {
    return analysis::formatsFromJson(json, "f.json").value();
}

// The values of its lines, whose average has no decimals.
std::string ownFormat(const std::string& name, const std::string& text = "speed=") {
    return R"({"name": ")" + name + R"(", "window": {"warmup": 1, "train": 3}, "lines": {"contain": [")" +
           text + R"("]}, "value": {"after": ")" + text +
           R"(", "is": "speed"}, "rule": "mean-of-speeds", "fold": {"average": "numpy:0"}})";
}

class OwnFormats : public testing::Test {
protected:
    analysis::FormatBook known() const { return readFormats(workspace_).value(); }
    Result<std::vector<std::string>> keep(const std::string& json) const {
        return keepFormats(workspace_, formatsOf(json), "f.json");
    }

    store::test::Folder folder_;
    store::Workspace workspace_ = store::Workspace::open(folder_.path()).value();
};

TEST_F(OwnFormats, AWorkspaceKnowsTheBuiltInOnesAndThoseItWasGiven) {
    EXPECT_TRUE(known().own().empty());
    EXPECT_EQ(known().find("pytorch-examples"), analysis::findFormat("pytorch-examples"));
    EXPECT_THAT(keep(ownFormat("mine")).value(), ElementsAre("mine"));
    EXPECT_THAT(keep("[" + ownFormat("mine") + "," + ownFormat("other") + "]").value(), ElementsAre("other"));
    ASSERT_EQ(known().own().size(), 2U);
    EXPECT_EQ(known().find("mine")->range, (MeasurementRange{1, 3}));
    EXPECT_EQ(known().find("other")->written, formatsOf(ownFormat("other")).front().written);
    EXPECT_EQ(known().all().size(), analysis::formats().size() + 2);
    EXPECT_EQ(known().all().front()->name, "mine");
}

TEST_F(OwnFormats, ANameMeansOneThing) {
    ASSERT_TRUE(keep(ownFormat("mine")));
    const std::string before = readFile(workspace_.formats()).value();
    const auto another = keep("[" + ownFormat("new") + "," + ownFormat("mine", "rate=") + "]");
    ASSERT_FALSE(another);
    EXPECT_EQ(another.error().kind, ErrorKind::Input);
    EXPECT_EQ(describe(another.error()).find("f.json: the format mine is in the workspace's formats.json"),
              0U);
    EXPECT_THAT(keep(ownFormat("mxnet-resnet50")).error().what, HasSubstr("mxnet-resnet50 is built in"));
    EXPECT_EQ(readFile(workspace_.formats()).value(), before);
}

TEST_F(OwnFormats, BuiltInOnesBesideOnesOwnAreNoneOfTheWorkspace) {
    auto rows = formatsOf(std::string(analysis::formatsJson()));
    EXPECT_THAT(keepFormats(workspace_, rows, "f.json").value(), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(workspace_.formats()));
    rows.push_back(formatsOf(ownFormat("mine")).front());
    EXPECT_THAT(keepFormats(workspace_, rows, "f.json").value(), ElementsAre("mine"));
    EXPECT_EQ(known().own().size(), 1U);
    std::ofstream(workspace_.formats()) << analysis::formatsJson();  // as a user may copy it
    EXPECT_TRUE(known().own().empty());
    std::ofstream(workspace_.formats()) << ownFormat("mxnet-resnet50");
    EXPECT_THAT(readFormats(workspace_).error().what, HasSubstr("mxnet-resnet50 is built in"));
}

TEST_F(OwnFormats, WhatIsKnownIsNotWrittenAgain) {
    std::ofstream(workspace_.formats()) << ownFormat("mine");
    EXPECT_THAT(keep(ownFormat("mine")).value(), IsEmpty());
    EXPECT_EQ(readFile(workspace_.formats()).value(), ownFormat("mine"));  // as the user wrote it
}

TEST_F(OwnFormats, TwoWritersLoseNone) {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 2; ++writer) {
        writers.emplace_back([this, writer] {
            for (int i = 0; i < 20; ++i) {
                EXPECT_TRUE(keep(ownFormat(fmt::format("format-{}-{}", writer, i))));
            }
        });
    }
    writers.clear();
    EXPECT_EQ(known().own().size(), 40U);
}

TEST_F(OwnFormats, AFileThatIsBrokenIsNamed) {
    std::ofstream(workspace_.formats()) << R"([{"name": "mine"}])";
    const auto broken = readFormats(workspace_);
    ASSERT_FALSE(broken);
    EXPECT_THAT(describe(broken.error()), HasSubstr("formats.json, format mine"));
    EXPECT_FALSE(keep(ownFormat("mine")));
}

TEST_F(OwnFormats, NeverGrowBeyondWhatIsRead) {
    const auto list = [](const std::string& name, int count, const std::string& text) {
        std::string many = "[" + ownFormat(name, text);
        for (int i = 1; i < count; ++i) {
            many += "," + ownFormat(name + std::to_string(i), text);
        }
        return many + "]";
    };
    EXPECT_THAT(keep(list("long", 600, std::string(900, 'x'))).error().what, HasSubstr("too many formats"));
    EXPECT_TRUE(known().own().empty());
    ASSERT_TRUE(keep(list("some", 600, "x=")));
    EXPECT_THAT(keep(list("more", 600, "x=")).error().what, HasSubstr("too many formats"));
    EXPECT_EQ(known().own().size(), 600U);
}

TEST_F(OwnFormats, TheirRunsAreMeasuredAgainAndFoldedByTheirRule) {
    ASSERT_TRUE(keep(ownFormat("mine")));
    for (int repetition : {1, 2}) {
        store::RunRecord record = store::test::someRecord({1, 1}, repetition, repetition == 1 ? 10.0 : 11.0);
        record.result.format = "mine";
        std::ofstream(store::test::putRun(workspace_, record) / "node0.log")
            << "speed=1\nspeed=10\nspeed=20\nspeed=60\n";
    }
    const auto runs = store::readResults(workspace_).value().results;
    const auto changed = reanalyze(workspace_, known(), runs, {1, 4}).value();
    EXPECT_EQ(changed.front().figure, 30.0);
    EXPECT_EQ(reanalyze(workspace_, analysis::FormatBook(), runs, {1, 4}).value().front().outcome,
              Outcome::Failed);
    EXPECT_FALSE(checkRange(known(), runs, {4, 1}));
    const auto average = [&](const analysis::FormatBook& formats) {
        return report::compare(runs, report::test::vocabulary(), formats)
            .series.front()
            .cells.front()
            .fold.average;
    };
    EXPECT_EQ(average(known()), 10.0);  // of 10.5, half to even
    EXPECT_EQ(average(analysis::FormatBook()), 10.5);
    report::ReportView view;
    view.formats = known();
    EXPECT_THAT(report::buildReport(runs, report::test::vocabulary(), {}, view).method,
                Contains(HasSubstr("a log format of the user's own")));
}

}  // namespace
}  // namespace dlperf::measure
