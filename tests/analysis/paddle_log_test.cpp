// SPDX-License-Identifier: Apache-2.0
// Logs of PaddlePaddle by both of DLPerf's extractors: speeds, and time stamps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/analyze_log.h"

namespace dlperf::analysis {
namespace {

constexpr std::string_view modelLines =
    "2020-09-01 11:21:04,431-INFO: [Pass 0, train batch 0] \tloss 7.04321, acc1 0.00000, acc5 0.01562, lr "
    "0.00100, elapse "
    "3.2104 sec\n"
    "2020-09-01 11:21:11,002-INFO: [Pass 0, train batch 19] \tloss 7.02511, acc1 0.00000, acc5 0.00781, lr "
    "0.00100, elapse "
    "0.3612 sec\n"
    "2020-09-01 11:21:47,311-INFO: [Pass 0, train batch 119] \tloss 6.94410, acc1 0.00781, acc5 0.01562, lr "
    "0.00100, elapse "
    "0.3598 sec\n"
    "2020-09-01 11:22:00,000-INFO: [Pass 0, test  batch 0] \tloss 6.91, acc1 0.0, acc5 0.0, elapse 0.1200 "
    "sec\n";

AnalyzedBytes speed(std::string_view log, MeasurementRange window) {
    return analyzeLog("paddle-resnet50", log, oneDeviceOf128, window);
}

AnalyzedBytes stamps(std::string_view log, MeasurementRange window) {
    return analyzeLog("paddle-resnet50-time", log, oneDeviceOf128, window);
}

std::string line(int pass, int batch, int second, const std::string& elapse = "0.5000 sec") {
    return fmt::format(
        "2020-09-01 11:{:02}:{:02},000-INFO: [Pass {}, train batch {}] \tloss 7.0, elapse {}\n", second / 60,
        second % 60, pass, batch, elapse);
}

TEST(PaddleSpeed, RoundsEachLineThenTheMean) {
    const auto run = speed(modelLines, {1, 3});
    EXPECT_EQ(run.figure.value, 355.06);  // the mean of 354.3743 and 355.7532
    ASSERT_EQ(run.iterations.size(), 4U);
    EXPECT_EQ(run.iterations[0].seconds, 3.2104);
    EXPECT_EQ(run.iterations[1].loss, 7.02511);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(PaddleSpeed, EachLineIsRoundedTo4DecimalsFirst) {
    // 128 / 0.1231 = 1039.80504 becomes 1039.805, and numpy's rule takes that to 1039.8.
    EXPECT_EQ(speed("elapse 0.1231 sec\n", {0, 1}).figure.value, 1039.8);
}

TEST(PaddleSpeed, ATestLineInTheWindowCountsAsInTheExtractorAndIsNoted) {
    const auto run = speed(modelLines, {1, 4});
    EXPECT_EQ(run.figure.value, 592.26);
    EXPECT_NE(run.finding("test-line").find("line 4"), std::string::npos);
}

TEST(PaddleSpeed, AShortRunNamesTheMeanOfItsPart) {
    const auto run = speed(modelLines, {1, 10});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_EQ(run.figure.dlperfValue, 592.26);
    EXPECT_NE(run.finding("short-window").find("592.26"), std::string::npos);
    const auto empty = speed(modelLines, {7, 10});
    EXPECT_EQ(empty.figure.value, std::nullopt);
    EXPECT_TRUE(std::isnan(empty.figure.dlperfValue.value()));
}

TEST(PaddleSpeed, ALineWithoutSecondsEndsTheLogWhereverItStands) {
    for (const char* bad :
         {"elapsed\n", "elapse 0.5 seconds\n", "elapse x sec\n", "elapse 0.0000 sec\n", "elapse  sec\n"}) {
        const auto run = speed(std::string(modelLines) + bad, {1, 3});
        const bool seconds = std::string_view(bad) == "elapse 0.5 seconds\n";  // " sec" stands in it
        EXPECT_EQ(run.figure.value.has_value(), seconds) << bad;
        EXPECT_EQ(run.finding("unreadable-line").empty(), seconds) << bad;
    }
}

TEST(PaddleSpeed, ATornLastLineIsSkipped) {
    const auto run =
        speed(std::string(modelLines) + "2020-09-01 11:22:00,000-INFO: [Pass 0, train batch 120] elapse 0.3",
              {1, 3});
    EXPECT_EQ(run.figure.value, 355.06);
    EXPECT_FALSE(run.finding("torn-line").empty());
}

TEST(PaddleSpeed, TheLastElapseCounts) {
    EXPECT_EQ(speed("elapse 9.0 sec, elapse 0.5 sec\n", {0, 1}).figure.value, 256.0);
}

TEST(PaddleTime, MeasuresFromStampToStamp) {
    const auto run = stamps(modelLines, {20, 120});
    EXPECT_EQ(run.figure.value, 352.53);  // 128 * 100 / 36.309
    ASSERT_EQ(run.iterations.size(), 3U);
    EXPECT_EQ(run.iterations[1].number, 20);
    EXPECT_EQ(run.iterations[2].number, 120);
    EXPECT_DOUBLE_EQ(run.iterations[2].seconds.value(), 0.36309);
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(PaddleTime, ALaterPassBeginsAnew) {
    const std::string log = line(0, 1, 0) + line(1, 1, 10) + line(1, 3, 14) + line(2, 1, 20) + line(2, 3, 50);
    const auto run = stamps(log, {2, 4});
    EXPECT_EQ(run.figure.value, 64.0);  // 4 s for 2 iterations
    EXPECT_TRUE(run.figure.findings.empty());
}

TEST(PaddleTime, WithoutAnEndItIsShort) {
    const auto run = stamps(line(0, 1, 0) + line(0, 2, 1), {2, 4});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_EQ(run.figure.dlperfValue, 0.0);
}

TEST(PaddleTime, AnEndWithoutStartEndsTheLog) {
    const auto run = stamps(line(0, 3, 3) + line(1, 1, 10) + line(1, 3, 14), {2, 4});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_FALSE(run.finding("unreadable-line").empty());
}

TEST(PaddleTime, ThePlainPrefixMattersAtTheEdgesOnly) {
    const std::string plain = "INFO:utils.utility:[Pass 0, train batch {}] \tloss 7.0, elapse 0.3612 sec\n";
    const std::string between = line(0, 1, 0) + fmt::format(fmt::runtime(plain), 2) + line(0, 3, 1);
    EXPECT_EQ(stamps(between, {2, 4}).figure.value, 256.0);
    const auto run = stamps(fmt::format(fmt::runtime(plain), 1) + line(0, 3, 1), {2, 4});
    EXPECT_EQ(run.figure.value, std::nullopt);
    EXPECT_NE(run.finding("unreadable-line").find("time stamp"), std::string::npos);
}

TEST(PaddleTime, TheWholeNumberIsTheBatch) {
    // "train batch 11]" is not "train batch 1]".
    EXPECT_EQ(stamps(line(0, 1, 0) + line(0, 11, 1) + line(0, 3, 2), {2, 4}).figure.value, 128.0);
}

}  // namespace
}  // namespace dlperf::analysis
