// SPDX-License-Identifier: Apache-2.0
// Folders of logs: which files count, in which order, and what is made of odd ones.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/analysis/analyze.h"
#include "core/analysis/format_row.h"
#include "core/analysis/json_table.h"
#include "tests/support/folder.h"

namespace dlperf::analysis {
namespace {

// A log of `count` iterations, each of so many seconds.
std::string paddleLog(double seconds, int count = 4) {
    std::string log;
    for (int i = 0; i < count; ++i) {
        log += fmt::format(
            "2020-09-01 11:21:{:02},431-INFO: [Pass 0, train batch {}] \tloss 7.0, elapse {:.4f} sec\n", i, i,
            seconds);
    }
    return log;
}

class LogFolder : public testing::Test {
protected:
    Analysis analyze(const std::string& format = "paddle-resnet50") {
        auto analysis = analyzeFolder(folder.path(), {findFormat(format), {}, 1, 4});
        EXPECT_TRUE(analysis);
        return *analysis;
    }
    static std::string findings(const Analysis& analysis, const std::string& kind) {
        std::string all;
        for (const Finding& finding : analysis.findings) {
            if (finding.kind == kind) {
                all += finding.where + ": " + finding.what + "\n";
            }
        }
        return all;
    }

    test::Folder folder;
};

TEST_F(LogFolder, BecomesDlperfsJson) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    folder.write("2n8g/r50_b100_fp32_1.log", paddleLog(0.4));
    folder.write("2n8g/r50_b100_fp32_2.log", paddleLog(0.5));
    EXPECT_EQ(
        toJson(analyze()),
        R"({"r50": {"1n1g": {"average_speed": 200.0, "batch_size_per_device": 100, "median_speed": 200.0, "speedup": 1.0}, )"
        R"("2n8g": {"average_speed": 3600.0, "batch_size_per_device": 100, "median_speed": 3600.0, "speedup": 18.0}}})");
    EXPECT_TRUE(analyze().findings.empty());
}

TEST_F(LogFolder, WithoutLogsIsEmpty) {
    EXPECT_EQ(toJson(analyze()), "{}");
    EXPECT_FALSE(findings(analyze(), "no-logs").empty());
}

TEST_F(LogFolder, ThatIsNotThereIsAnError) {
    const auto missing = analyzeFolder(folder.path() / "missing", {findFormat("dlperf-worker"), {}, {}, {}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, ErrorKind::Input);
}

TEST_F(LogFolder, OnlyRegularFilesOneFolderDownCount) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    folder.write("1n1g/r50_b100_fp32_1/node0.log", paddleLog(0.1));  // a run's own folder beside its log
    folder.write("1n1g/r50_b100_fp32_2.log/x", paddleLog(0.1));
    folder.write("1n1g/.r50_b100_fp32_3.log", paddleLog(0.1));
    folder.write(".hidden/r50_b100_fp32_4.log", paddleLog(0.1));
    folder.write("1n1g/r50_b100_fp32_5.log.gz", paddleLog(0.1));
    folder.write("r50_b100_fp32_6.log", paddleLog(0.1));
    ASSERT_EQ(::mkfifo((folder.path() / "1n1g/r50_b100_fp32_7.log").c_str(), 0600), 0);
    const Analysis analysis = analyze();
    ASSERT_EQ(analysis.logs.size(), 1U);
    EXPECT_EQ(analysis.logs[0].file, "1n1g/r50_b100_fp32_1.log");
    EXPECT_TRUE(analysis.logs[0].folded);
    EXPECT_TRUE(analysis.findings.empty());
}

TEST_F(LogFolder, ReadsFilesInItsOwnOrder) {
    for (const char* name :
         {"2n8g/r50_b100_fp32_10.log", "2n8g/r50_b100_fp32_2.log", "1n1g/r50_b100_fp32_2.log",
          "1n1g/r50_b100_fp32_7_9.log", "1n1g/r50_b100_fp32_1.log"}) {
        folder.write(name, paddleLog(0.5));
    }
    const Analysis analysis = analyze();
    std::vector<std::string> files;
    for (const AnalyzedLog& log : analysis.logs) {
        files.push_back(log.file);
    }
    EXPECT_EQ(files, (std::vector<std::string>{"1n1g/r50_b100_fp32_7_9.log", "1n1g/r50_b100_fp32_1.log",
                                               "1n1g/r50_b100_fp32_2.log", "2n8g/r50_b100_fp32_2.log",
                                               "2n8g/r50_b100_fp32_10.log"}));
}

TEST_F(LogFolder, ACleanNameWinsOverAnOddOne) {
    folder.write("1n1g/r50_b100_fp32_4_6.log", paddleLog(0.1));
    folder.write("1n1g/r50_b100_fp32_4.log", paddleLog(0.5));
    folder.write("1n1g/r50_b100_fp32_7_9.log", paddleLog(0.4));
    const Analysis analysis = analyze();
    EXPECT_EQ(analysis.models.at(0).cases.at(0).figures, (std::vector<double>{200.0, 250.0}));
    const std::string finding = findings(analysis, "repeated-repetition");
    EXPECT_NE(finding.find("1n1g/r50_b100_fp32_4_6.log"), std::string::npos);
    EXPECT_NE(finding.find("1000.00"), std::string::npos);
    EXPECT_FALSE(analysis.logs[0].folded);
    EXPECT_TRUE(analysis.logs[2].folded);
}

TEST_F(LogFolder, BadNamesAreFindingsAndTheRestGoesOn) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    for (const char* name :
         {"1n1g/r50_b100_fp32.log", "1n1g/bert_base_b96_fp32_1.log", "n1g1/r50_b100_fp32_1.log",
          "1n1g_old/r50_b100_fp32_1.log", "0n8g/r50_b100_fp32_1.log", "8g/r50_b100_fp32_1.log"}) {
        folder.write(name, paddleLog(0.1));
        const Analysis analysis = analyze();
        EXPECT_NE(findings(analysis, "bad-name").find(name), std::string::npos) << name;
        EXPECT_EQ(analysis.models.at(0).cases.size(), 1U) << name;
    }
    EXPECT_NE(toJson(analyze()).find("\"average_speed\": 200.0"), std::string::npos);
}

TEST_F(LogFolder, UnderstandsLargeTopologiesAndKeepsOddLetterCase) {
    folder.write("10n16g/r50_b100_fp32_1.log", paddleLog(0.5));
    folder.write("1N1G/r50_b100_fp32_1.log", paddleLog(0.5));
    const Analysis analysis = analyze();
    ASSERT_EQ(analysis.models.at(0).cases.size(), 2U);
    EXPECT_EQ(analysis.models[0].cases[0].fold.median, 32000.0);
    EXPECT_EQ(analysis.models[0].cases[1].topologyName, "1N1G");  // a case of its own, as for DLPerf
    EXPECT_EQ(analysis.models[0].cases[1].speedup, std::nullopt);
}

std::string hugectrLog(int devices, double seconds) {
    std::string log = fmt::format(
        "num_nodes = 1\ngpu_num_per_node = {}\nbatch_size = 16384\nloss_print_every_n_iter = 100\n", devices);
    for (int i = 100; i <= 1100; i += 100) {
        log += fmt::format(
            "[HUGECTR][02:51:59][INFO][RANK0]: Iter: {} Time(100 iters): {:.6f}s Loss: 0.1 lr:0.001000\n", i,
            seconds);
    }
    return log;
}

// DLPerf's extractor reads logs that lie flat, and calls each by its name: those of folders are not one.
TEST_F(LogFolder, LatenciesOfEqualNamesInTwoFoldersAreTwo) {
    folder.write("1n1g/wdl_b16384_fp32_1.log", hugectrLog(1, 0.2134));
    folder.write("1n8g/wdl_b16384_fp32_1.log", hugectrLog(8, 0.2987));
    folder.write("n1g1.log", hugectrLog(1, 0.25));
    const auto analysis = analyzeFolder(folder.path(), {findFormat("hugectr-wdl"), {}, {}, {}});
    ASSERT_TRUE(analysis);
    const auto& cases = analysis->models.at(0).cases;
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ(cases[0].topologyName, "1n1g/wdl_b16384_fp32_1");
    EXPECT_NEAR(cases[0].fold.median.value_or(0), 2.134, 1e-9);
    EXPECT_EQ(cases[1].topologyName, "1n8g/wdl_b16384_fp32_1");
    EXPECT_NEAR(cases[1].fold.median.value_or(0), 2.987, 1e-9);
    EXPECT_EQ(cases[2].topologyName, "n1g1");
}

TEST_F(LogFolder, ShortRunsAreNotFolded) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    folder.write("1n1g/r50_b100_fp32_2.log", paddleLog(0.1, 3));
    folder.write("1n8g/r50_b100_fp32_1.log", paddleLog(0.1, 3));
    const Analysis analysis = analyze();
    EXPECT_EQ(
        toJson(analysis),
        R"({"r50": {"1n1g": {"average_speed": 200.0, "batch_size_per_device": 100, "median_speed": 200.0, "speedup": 1.0}, )"
        R"("1n8g": {"average_speed": null, "batch_size_per_device": 100, "median_speed": null, "speedup": null}}})");
    EXPECT_NE(findings(analysis, "short-window").find("1n1g/r50_b100_fp32_2.log"), std::string::npos);
    EXPECT_NE(findings(analysis, "short-window").find("gives 1000"), std::string::npos);
}

TEST_F(LogFolder, WithoutABaseThereIsNoSpeedup) {
    folder.write("1n8g/r50_b100_fp32_1.log", paddleLog(0.5));
    EXPECT_NE(toJson(analyze()).find(R"("median_speed": 1600.0, "speedup": null)"), std::string::npos);
    EXPECT_FALSE(findings(analyze(), "no-base").empty());
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5, 2));  // there, but short
    EXPECT_NE(toJson(analyze()).find(R"("median_speed": 1600.0, "speedup": null)"), std::string::npos);
    EXPECT_NE(findings(analyze(), "no-base").find("no 1n1g run has a figure"), std::string::npos);
}

TEST_F(LogFolder, WhatSharesAFolderGoesBeside) {
    for (const char* topology : {"1n1g", "1n2g"}) {
        folder.write(std::string(topology) + "/r50_b100_fp32_1.log", paddleLog(0.5));
        folder.write(std::string(topology) + "/r50_b256_fp16_1.log", paddleLog(0.5));
        folder.write(std::string(topology) + "/r50_b256__1.log", paddleLog(0.5));
    }
    const Analysis analysis = analyze();
    ASSERT_EQ(analysis.models.size(), 3U);
    EXPECT_EQ(analysis.models[0].name, "r50");
    EXPECT_EQ(analysis.models[1].name, "r50 b256");
    EXPECT_EQ(analysis.models[2].name, "r50 b256 fp16");
    for (const ModelSummary& model : analysis.models) {
        ASSERT_EQ(model.cases.size(), 2U);
        EXPECT_EQ(model.cases[1].speedup, 2.0);
    }
    EXPECT_NE(findings(analysis, "mixed-folder").find("r50 b256 fp16"), std::string::npos);
}

TEST_F(LogFolder, ASpeedupOverAnotherBatchSizeIsNoted) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    folder.write("1n8g/r50_b50_fp32_1.log", paddleLog(0.5));
    const Analysis analysis = analyze();
    ASSERT_EQ(analysis.models.size(), 1U);  // each is its folder's first
    EXPECT_NE(findings(analysis, "mixed-speedup").find("1n8g"), std::string::npos);
}

TEST_F(LogFolder, FindingsNameTheLogAndTheLine) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    folder.write("1n1g/r50_b100_fp32_2.log", "\nelapse\n" + paddleLog(0.1));
    const Analysis analysis = analyze();
    EXPECT_NE(findings(analysis, "unreadable-line").find("1n1g/r50_b100_fp32_2.log, line 2:"),
              std::string::npos);
    EXPECT_EQ(analysis.models.at(0).cases.at(0).figures, std::vector<double>{200.0});
}

TEST_F(LogFolder, ALogThatCannotBeReadIsAFinding) {
    folder.write("1n1g/r50_b100_fp32_1.log", paddleLog(0.5));
    std::filesystem::create_symlink("/proc/self/mem", folder.path() / "1n1g/r50_b100_fp32_2.log");
    const Analysis analysis = analyze();
    EXPECT_NE(findings(analysis, "unreadable-file").find("1n1g/r50_b100_fp32_2.log"), std::string::npos);
    EXPECT_EQ(analysis.models.at(0).cases.at(0).fold.count, 1);
}

std::string oneflowLog(int batch, int devices, double seconds) {
    return fmt::format(
        "batch_size_per_device = {}\ngpu_num_per_node = {}\nnum_nodes = 1\n"
        "train: epoch 0, iter 1, loss: 7.0 1597933942.5\ntrain: epoch 0, iter 4, loss: 7.0 {}\n",
        batch, devices, 1597933942.5 + seconds);
}

TEST_F(LogFolder, OneflowsHeaderNamesTheCase) {
    folder.write("anything/any name.log", oneflowLog(128, 1, 3));
    folder.write("anything/another.log", oneflowLog(128, 1, 2));
    folder.write("anything/r50_b64_fp32_1.log", oneflowLog(64, 1, 3));
    folder.write("anything/eight.log", oneflowLog(128, 8, 3));
    const Analysis analysis = analyze("oneflow-resnet50");
    EXPECT_EQ(
        toJson(analysis),
        R"({"r50": {"1n1g": {"average_speed": 64.0, "batch_size_per_device": 64, "median_speed": 64.0, "speedup": 1.0}, )"
        R"("1n8g": {"average_speed": 1024.0, "batch_size_per_device": 128, "median_speed": 1024.0, "speedup": 6.4}}, )"
        R"("r50 b128": {"1n1g": {"average_speed": 160.0, "batch_size_per_device": 128, "median_speed": 160.0, "speedup": 1.0}}})");
    EXPECT_TRUE(findings(analysis, "mixed-folder").empty());  // normal there
}

TEST_F(LogFolder, HostileNamesStayInTheirTexts) {
    folder.write("1n1g/a|b,\"c\"\xFF_b100_fp32_1.log", paddleLog(0.5));
    EXPECT_NE(toJson(analyze()).find(R"("a|b,\"c\"\ufffd")"), std::string::npos);
}

// As PowerShell's ">" writes them.
TEST_F(LogFolder, LogsInUtf16AreRead) {
    std::string wide = "\xFF\xFE";
    for (const char c : paddleLog(0.5)) {
        wide += c;
        wide += '\0';
    }
    folder.write("1n1g/r50_b100_fp32_1.log", wide);
    EXPECT_NE(toJson(analyze()).find("\"average_speed\": 200.0"), std::string::npos);
    const auto guessed = analyzeFolder(folder.path(), {nullptr, {}, 1, 4});
    ASSERT_TRUE(guessed) << describe(guessed.error());
    EXPECT_NE(toJson(*guessed).find("\"average_speed\": 200.0"), std::string::npos);
}

TEST_F(LogFolder, WithoutAKnownFormatItSaysWhatToDo) {
    folder.write("1n1g/r50_b100_fp32_1.log", "nothing\n");
    const auto unknown = analyzeFolder(folder.path(), Reading{});
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().what.find("no known format"), std::string::npos);
    EXPECT_NE(unknown.error().remedy.find("--format"), std::string::npos);
    const test::Folder empty;
    EXPECT_FALSE(analyzeFolder(empty.path(), Reading{}));
}

TEST(Windows, MustSuitTheFormat) {
    EXPECT_TRUE(checkRange(*findFormat("pytorch-examples"), {0, 1}));
    EXPECT_FALSE(checkRange(*findFormat("pytorch-examples"), {-1, 1}));
    EXPECT_FALSE(checkRange(*findFormat("pytorch-examples"), {5, 5}));
    EXPECT_FALSE(checkRange(*findFormat("pytorch-examples"), {0, 2'000'000'000}));
    EXPECT_FALSE(checkRange(*findFormat("ngc-pytorch-resnet50"), {0, 9}));
    EXPECT_FALSE(checkRange(*findFormat("paddle-resnet50-time"), {1, 9}));
    EXPECT_TRUE(checkRange(*findFormat("paddle-resnet50-time"), {2, 9}));
}

}  // namespace
}  // namespace dlperf::analysis
