// SPDX-License-Identifier: Apache-2.0
#include "core/log/log_layout.h"

#include <gtest/gtest.h>

namespace dlperf::log {
namespace {

void add(LogLayout& layout, const std::vector<Scanned>& found) {
    layout.append(found);
    layout.note(layout.levelsIn(found));
}

// Log 0 has lines 0 1 2 3, of which 1 2 3 say the same; log 1 has 0 1.
LogLayout twoLogs() {
    LogLayout layout(2);
    Scanned first;
    first.part = {4, 40, {{0, 0}}, {{1, 2}}};
    Scanned second;
    second.part = {2, 20, {{0, 0}}, {}};
    second.levels = {{1, Level::Warning}};
    add(layout, {first, second});
    return layout;
}

TEST(LogLayout, ARunOfTheSameStaysTogether) {
    const LogLayout layout = twoLogs();
    ASSERT_EQ(layout.lines(), 6U);
    const std::vector<LineSpot> spots{{0, 0}, {1, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}};
    std::vector<std::uint64_t> before(2, 0);
    for (std::uint64_t number = 0; number < spots.size(); ++number) {
        EXPECT_EQ(layout.spotOf(number), spots[number]) << number;
        EXPECT_EQ(layout.numberOf(spots[number]), number);
        EXPECT_EQ(layout.linesBefore(number), before);
        ++before[spots[number].log];
    }
    EXPECT_EQ(layout.linesBefore(6), before);
    EXPECT_EQ(layout.warnings(), 1U);
    EXPECT_EQ(layout.nextOf(Level::Warning, 0), 5U);
    EXPECT_EQ(layout.nextOf(Level::Warning, 5), 5U);  // from the begin again
    EXPECT_FALSE(layout.nextOf(Level::Error, 0));
}

TEST(LogLayout, RepeatsOpenAndClose) {
    const LogLayout layout = twoLogs();
    Opened opened;
    ASSERT_EQ(layout.rowCount(opened), 4U);
    EXPECT_EQ(layout.rows(opened, 2, 1).front().lines, 3U);
    EXPECT_EQ(layout.rowOf(opened, 4), 2U);
    opened.repeats.insert(2);
    ASSERT_EQ(layout.rowCount(opened), 6U);
    const std::vector<Row> rows = layout.rows(opened, 0, 10);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows[row].number, row);
        EXPECT_EQ(layout.rowOf(opened, row), row);
    }
    EXPECT_TRUE(rows[2].isOpen);
    EXPECT_EQ(rows[3].lines, 1U);
}

TEST(LogLayout, TheWarmupFoldsOnceItIsOverAndHidesNoWarning) {
    LogLayout layout(1);
    Scanned begin;
    begin.part = {10, 100, {{0, 0}}, {}};
    begin.firstIteration = 2;
    begin.levels = {{5, Level::Warning}};
    add(layout, {begin});
    Opened opened;
    EXPECT_EQ(layout.rowCount(opened), 10U);
    Scanned later;
    later.part = {20, 200, {}, {}};
    later.firstMeasured = 12;
    add(layout, {later});
    // 0 1 [2 3 4] 5 [6 … 11] 12 … 19
    ASSERT_EQ(layout.rowCount(opened), 13U);
    const std::vector<Row> rows = layout.rows(opened, 0, 13);
    EXPECT_EQ(rows[2].kind, Row::Kind::Warmup);
    EXPECT_EQ(rows[2].lines, 3U);
    EXPECT_EQ(rows[3].number, 5U);
    EXPECT_EQ(rows[4].lines, 6U);
    EXPECT_EQ(rows[5].number, 12U);
    EXPECT_EQ(layout.rowOf(opened, 8), 4U);
    opened.warmups.insert(6);
    ASSERT_EQ(layout.rowCount(opened), 19U);
    const std::vector<Row> open = layout.rows(opened, 4, 2);
    EXPECT_EQ(open[0].kind, Row::Kind::Warmup);
    EXPECT_TRUE(open[0].isOpen);
    EXPECT_EQ(open[1].number, 6U);
    EXPECT_EQ(layout.rowOf(opened, 8), 7U);
}

// More warnings side by side than there may be folds, and one for itself behind them.
TEST(LogLayout, ManyWarningsFoldNoOtherAway) {
    constexpr std::uint64_t many = 3 * LogLayout::mostWarmups;
    LogLayout layout(1);
    Scanned log;
    log.part = {many + 100, 10 * (many + 100), {{0, 0}}, {}};
    log.firstIteration = 0;
    log.firstMeasured = many + 80;
    for (std::uint64_t line = 10; line < many; ++line) {
        log.levels.emplace_back(line, Level::Warning);
    }
    log.levels.emplace_back(many + 40, Level::Warning);
    add(layout, {log});
    // [0 … 9] 10 … many-1 [many … many+39] many+40 [many+41 … many+79] many+80 …
    const std::vector<Row> rows = layout.rows({}, 0, layout.rowCount({}));
    EXPECT_EQ(rows.size(), 1 + (many - 10) + 3 + 20);
    EXPECT_EQ(rows.front().lines, 10U);
    EXPECT_EQ(rows[many - 9].lines, 40U);
    EXPECT_EQ(rows[many - 8].number, many + 40);
    EXPECT_EQ(rows[many - 8].kind, Row::Kind::Line);
}

// Those that are too many to keep may stand anywhere.
TEST(LogLayout, NothingFoldsWhereNotAllWarningsAreKnown) {
    LogLayout layout(1);
    Scanned log;
    constexpr std::uint64_t lines = 2 * LogLayout::mostLevels + 100;
    log.part = {lines, 10 * lines, {{0, 0}}, {}};
    log.firstIteration = 0;
    log.firstMeasured = lines - 10;
    for (std::uint64_t line = 10; line < lines - 20; ++line) {
        log.levels.emplace_back(line, Level::Warning);
    }
    add(layout, {log});
    EXPECT_EQ(layout.rowCount({}), lines);
}

// A file is cut while a fold of it stands open: the window asks with what it had opened.
TEST(LogLayout, WhatWasOpenInALogThatBeganAnewIsPassedOver) {
    const LogLayout empty(2);
    Opened opened;
    opened.repeats = {0, 7};
    opened.warmups = {0};
    EXPECT_EQ(empty.rowCount(opened), 0U);
    EXPECT_TRUE(empty.rows(opened, 0, 10).empty());
    EXPECT_EQ(twoLogs().rowCount({{1'000'000}, {}}), twoLogs().rowCount({}));
}

}  // namespace
}  // namespace dlperf::log
