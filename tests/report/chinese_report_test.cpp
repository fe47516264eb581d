// SPDX-License-Identifier: Apache-2.0
// A Chinese report of two campaigns in which much was found: no English is left in it but names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <regex>

#include "core/base/text.h"
#include "tests/report/loss_series.h"
#include "tests/report/report_fixture.h"

namespace dlperf::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* firstNight = "2026-11-21";
constexpr const char* secondNight = "2026-11-22";

// Names, and what systems said.
constexpr std::array kept{"ResNet50 on this machine", "no route to host", "cannot read the folder",
                          "No such file or directory", "another job on the node"};

// What stands in code spans and blocks, or is a name, is nobody's sentence.
std::string withoutNames(std::string text) {
    text = std::regex_replace(text, std::regex("```[^`]*```|`[^`]*`"), "");
    for (const char* name : kept) {
        text = std::regex_replace(text, std::regex(name), "");
    }
    return text;
}

// Three words of letters in a row, each line that has them.
std::vector<std::string> englishLines(const std::string& text) {
    const std::regex words("[A-Za-z][a-z]+[,:;]? [a-z]+[,:;]? [a-z]+");
    std::vector<std::string> lines;
    for (const std::string_view line : split(text, '\n')) {
        std::string one(line);
        if (std::regex_search(one, words)) {
            lines.push_back(std::move(one));
        }
    }
    return lines;
}

std::vector<RunResult> twoCampaigns() {
    std::vector<RunResult> runs = test::smallSet();
    const auto add = [&](Topology topology, int repetition, double throughput) -> RunResult& {
        RunResult run = test::ownRun(topology, repetition, throughput);
        run.campaign = secondNight;
        run.id = run.campaign + run.id.substr(std::string(firstNight).size());
        return runs.emplace_back(std::move(run));
    };
    for (int i = 1; i <= 5; ++i) {
        add({1, 1}, i, 300 + 12 * i);
        add({1, 2}, i, i == 3 ? 900 : 690 + i);
        add({2, 2}, i, 500 + i);
    }
    runs.back().findings = {
        {"drift",
         "the iterations of the measurement range's last quarter take 12 % longer than those of its first: "
         "another range would give another figure",
         ""},
        {"data-share",
         "12 % of the measurement range goes into waiting for data: the figure is that of the data loading "
         "as much as "
         "of the devices",
         ""},
        {"torn-line", "the last line is not whole and is skipped: it has no speed", "line 17"}};
    return runs;
}

std::vector<SeriesLosses> someLosses() {
    test::LossSeries series;
    series.add({1, 1}, {{0.8, 0.2, 0}}, 0);
    series.add({1, 1}, {{0.81, 0.2, 0}}, 0);
    for (int i = 0; i < 3; ++i) {
        series.add({2, 1}, {{1.1, 0.3, 0.6 + 0.1 * i}, {1.1, 0.2, 0.7 + 0.1 * i}}, 0.5, {"n1", "n2"});
    }
    return {{"dlperf-worker", firstNight, series.losses(), {"Twice the batch size, 2n1g"}}};
}

Report chineseReport() {
    ReportView view;
    view.campaignNames = {{firstNight, "ResNet50 on this machine"}, {secondNight, "New driver"}};
    Report report = buildReport(twoCampaigns(), test::vocabulary(), {}, view);
    report.losses = someLosses();
    report.hardware = test::measuredHardware();
    report.language = "zh_CN";
    return report;
}

TEST(ChineseReport, HoldsNoEnglishSentence) {
    const auto files = renderReport(chineseReport(), "report.md", test::fakeRenderer());
    ASSERT_TRUE(files) << describe(files.error());
    for (const ReportFile& file : *files) {
        for (const std::string& line : englishLines(withoutNames(file.bytes))) {
            ADD_FAILURE() << file.path.string() << ": " << line;
        }
    }
    const std::string& text = files->front().bytes;
    EXPECT_THAT(text, HasSubstr("2n1g：损失了理想值的 52.1\u00A0%（"));
    EXPECT_THAT(text, HasSubstr("。范围："));
    EXPECT_THAT(text, HasSubstr("：相对 dlperf-worker, ResNet50 on this machine 为 −0.9\u00A0%；"));
    EXPECT_THAT(text, Not(HasSubstr("本机")));
}

}  // namespace
}  // namespace dlperf::report
