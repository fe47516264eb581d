// SPDX-License-Identifier: Apache-2.0
#include "app/terminal_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/table.h"

namespace dlperf::app {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const TerminalRow row{
    .names = {"  20261129-183703-857e0b6/0001", "dlperf-worker+image_size=64 b128 fp32 1n2g repetition 1"},
    .news = "  running  iteration 12 of 120, 3:05 left"};

TEST(TerminalRow, NamesGiveWayAndNewsStay) {
    for (const std::size_t columns : {60U, 80U, 120U}) {
        const std::string text = inColumns(row, columns);
        EXPECT_THAT(text, EndsWith(row.news));
        EXPECT_LE(report::displayWidth(text), columns);
        EXPECT_GE(report::displayWidth(text), columns - 2) << "no more than must";
        EXPECT_THAT(text, StartsWith("  2"));
    }
    EXPECT_EQ(inColumns(row, 60), "  20\u2026001  dlpe\u2026n 1  running  iteration 12 of 120, 3:05 left");
    EXPECT_EQ(inColumns(row, 200), wholeText(row));
    EXPECT_THAT(inColumns(row, 10), AllOf(HasSubstr("\u2026"), EndsWith(row.news)));
}

TEST(TerminalRow, NamesOfTwoColumnsACharacterStayWhole) {
    const TerminalRow chinese{.names = {"\u5728\u8fd9\u53f0\u673a\u5668\u4e0a\u6d4b\u91cf"}, .news = "  ok"};
    EXPECT_EQ(inColumns(chinese, 13), "\u5728\u8fd9\u2026\u6d4b\u91cf  ok");
    EXPECT_EQ(inColumns(chinese, 12), "\u5728\u8fd9\u2026\u91cf  ok");
}

TEST(TerminalRow, TheBarGoesBeforeTheName) {
    const std::string news = "running 12/120 1234.56 images/s 0:12:34 left";
    const std::string name = "[3/12] dlperf-worker b128 fp32 1n2g repetition 1";
    for (const std::size_t columns : {60U, 80U, 120U}) {
        const std::string text = progressRow(name, 0.1, news, columns);
        EXPECT_THAT(text, AllOf(StartsWith("[3/12"), EndsWith(news)));
        EXPECT_LE(report::displayWidth(text), columns);
    }
    EXPECT_THAT(progressRow(name, 0.1, news, 120), HasSubstr("repetition 1 [##..................] running"));
    EXPECT_THAT(progressRow(name, 0.1, news, 80), HasSubstr(" [#.........] running"));
    EXPECT_THAT(progressRow(name, 0.1, news, 60), testing::Not(HasSubstr(" [#")));
}

}  // namespace
}  // namespace dlperf::app
