// SPDX-License-Identifier: Apache-2.0
// Logs are other people's bytes: whatever they hold, the analysis ends, is bounded and says what it left out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "core/analysis/format_row.h"
#include "core/analysis/line_reader.h"
#include "core/base/text.h"
#include "tests/analysis/analyze_log.h"
#include "tests/support/sanitized.h"

namespace dlperf::analysis {
namespace {

std::vector<std::string> splitLines(const std::vector<std::string>& chunks) {
    LineSplitter splitter;
    std::vector<std::string> lines;
    const auto keep = [&](const Line& line) {
        lines.push_back(std::to_string(line.number) + (line.cut ? "cut" : "") + (line.torn ? "torn" : "") +
                        ":" + std::string(line.text));
    };
    for (const std::string& chunk : chunks) {
        splitter.feed(chunk, keep);
    }
    splitter.finish(keep);
    return lines;
}

TEST(Lines, EndInAnyWay) {
    EXPECT_EQ(splitLines({"a\nb\r\nc\rd"}), (std::vector<std::string>{"1:a", "2:b", "3:c", "3torn:d"}));
    EXPECT_EQ(splitLines({"\n\n\r\n\ra\n"}), (std::vector<std::string>{"4:a"}));
    EXPECT_EQ(splitLines({"a", "b\r", "\nc\n", "", "d"}),
              (std::vector<std::string>{"1:ab", "2:c", "3torn:d"}));
    EXPECT_EQ(splitLines({}), std::vector<std::string>{});
}

TEST(Lines, AreCutAtTheirBoundHoweverTheyCome) {
    const std::string exact(LineSplitter::maxBytes, 'x');
    EXPECT_EQ(splitLines({exact + "\n"}), splitLines({exact.substr(0, 7), exact.substr(7) + "\n"}));
    EXPECT_EQ(splitLines({exact + "\n"}).front(), "1:" + exact);
    EXPECT_EQ(splitLines({exact + "y\nz\n"}), (std::vector<std::string>{"1cut:" + exact, "2:z"}));
    EXPECT_EQ(splitLines({exact + "y\nz\n"}), splitLines({exact, "y", "\nz\n"}));
}

class EveryFormat : public testing::TestWithParam<std::string> {};

TEST_P(EveryFormat, FindsNothingInNothing) {
    for (const std::string_view log : {"", "\n", "\r\r\r", "no such line"}) {
        const auto run = analyzeLog(GetParam(), log, oneDevice, {2, 4});
        EXPECT_EQ(run.figure.value, std::nullopt);
        EXPECT_TRUE(run.iterations.empty());
        EXPECT_EQ(run.figure.lastIteration, 0);
        EXPECT_FALSE(run.figure.findings.empty());
    }
}

// All that makes a line count.
std::string markersOf(const Format& format) {
    return join(format.markers.front(), " ");
}

TEST_P(EveryFormat, SurvivesNoise) {
    const Format& format = *findFormat(GetParam());
    const std::string markers = markersOf(format);
    const std::vector<std::string> fields{format.index.after, format.value.after, format.value.before, "7 ",
                                          "1.5"};
    std::minstd_rand random(3);
    std::string noise;
    for (int i = 0; i < 20000; ++i) {
        // Markers in the noise, so that the captures see it too.
        if (i % 50 == 0) {
            noise += "\n" + markers;
        }
        noise += markers.substr(0, random() % 8) + static_cast<char>(random() % 256);
        if (i % 7 == 0) {
            noise += fields[random() % fields.size()];
        }
        if (i % 70 == 0) {
            noise += "[0][7/9] Time 1.5 elapse " + std::string(random() % 4, '9') + " sec iter 1";
        }
    }
    const auto run = analyzeLog(GetParam(), noise, oneDevice, {2, 4});
    EXPECT_LE(run.figure.findings.size(), 10U);  // counted, not listed
}

TEST_P(EveryFormat, ReadsPastALineOfTenMegabytes) {
    const Format& format = *findFormat(GetParam());
    const std::string longLine(10U << 20U, '\0');
    const auto run =
        analyzeLog(GetParam(), longLine + "\n" + markersOf(format) + longLine, oneDevice, {2, 4});
    EXPECT_NE(run.finding("line-cut").find("line 1"), std::string::npos);
    EXPECT_NE(run.finding("line-cut").find("1 more"), std::string::npos);
}

constexpr std::size_t floodBytes = test::sanitized ? 256U << 20U : std::size_t{2} << 30U;

// Of this process, now.
std::size_t residentBytes() {
    std::size_t size = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// How much memory the analysis of one piece, fed again and again, takes at most.
std::size_t memoryOfFlood(const std::string& piece) {
    LogAnalyzer analyzer(*findFormat("pytorch-examples"), oneDevice, {20, 120}, ignoreIteration);
    const std::size_t before = residentBytes();
    std::size_t most = before;
    analyzer.feed("Epoch: [0][ 7/53]\tTime  0.3");
    for (std::size_t fed = 0; fed < floodBytes; fed += piece.size()) {
        analyzer.feed(piece);
        most = std::max(most, residentBytes());
    }
    analyzer.finish();
    EXPECT_EQ(analyzer.figure().value, std::nullopt);
    EXPECT_LE(analyzer.figure().findings.size(), 10U);
    return most - before;
}

std::string repeated(std::string_view text) {
    constexpr std::size_t pieceBytes = 1U << 20U;
    std::string piece;
    while (piece.size() < pieceBytes) {
        piece += text;
    }
    return piece;
}

TEST(Flood, OfOneLineTakesBoundedMemory) {
    for (const std::string_view text :
         {std::string_view("0.363 Epoch: "), std::string_view("\0\0", 2), std::string_view("\xff\xc0\x80")}) {
        EXPECT_LT(memoryOfFlood(repeated(text)), 16U << 20U) << text;
    }
}

TEST(Flood, OfProgressBarsTakesBoundedMemory) {
    EXPECT_LT(memoryOfFlood(repeated("\x1b[32m 50%|#####     | 25/50\x1b[0m [00:03<00:03,  8.1it/s]\r")),
              16U << 20U);
}

TEST_P(EveryFormat, HugeNumbersOverflowNothing) {
    const std::string log =
        "# batch_size: 99999999999999999999\n# world_size: 2147483647\nnum_nodes = 2147483647\n"
        "Epoch: [0][99999999999999999999/1]\tTime 1e999 \nEpoch: [0][9223372036854775807/1]\tTime  0.500 \n"
        "2020-09-15 14:29:13.473765 Iteration: 9223372036854775807  train.loss : 1\n"
        "2020-09-15 14:29:13,473 [Pass 0, train batch 9223372036854775807] elapse 1e-999 sec\n"
        "train: epoch 0, iter 9223372036854775807, loss: 1 1e308\ntrain: epoch 0, iter 4, loss: 1 -1e308\n"
        "iteration 9223372036854775807 epoch 0 loss 1 time 1e308 s data\niteration 3 loss 1 time 1e308 s "
        "data\n"
        "iteration 4 loss 1 time 1e308 s data\n";
    const auto run = analyzeLog(GetParam(), log, {{65536, 16384}, 2147483647}, {2, 4});
    EXPECT_LE(run.figure.lastIteration, 1'000'000'000'001);
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Format& format : formats()) {
        all.push_back(format.name);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormat, testing::ValuesIn(names()), nameOfFormat);

TEST(Header, IsBounded) {
    std::string log;
    for (int i = 0; i < 1000; ++i) {
        log += "# key" + std::to_string(i) + ": value\n";
    }
    log += "# long: " + std::string(5000, 'x') + "\n";
    EXPECT_LE(analyzeLog("dlperf-worker", log, oneDevice, {2, 4}).figure.header.size(), 64U);
}

}  // namespace
}  // namespace dlperf::analysis
