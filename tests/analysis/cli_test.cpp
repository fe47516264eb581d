// SPDX-License-Identifier: Apache-2.0
// The contract of `dlperf analyze` and `dlperf formats`: exit codes, what goes to which stream, files.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "tests/support/program.h"
#include "tests/support/sanitized.h"

namespace dlperf::analysis {
namespace {

using test::Ran;
using test::workerLog;

class CommandLine : public testing::Test {
protected:
    Ran dlperf(const std::vector<std::string>& words) const {
        return test::runProgram(DLPERF_BINARY_DIR "/bin/dlperf", words, scratch);
    }
    std::string logs() const { return folder.path().string(); }

    test::Folder folder;
    test::Folder scratch;
};

const std::string expectedJson =
    R"({"r50": {"1n1g": {"average_speed": 200.0, "batch_size_per_device": 100, "median_speed": 200.0, "speedup": 1.0}}})";

// The same log of two devices that take four times as long for twice as much.
std::string slowed(std::string log) {
    log.replace(log.find("world_size: 1"), 13, "world_size: 2");
    for (std::size_t at = 0; (at = log.find("time 0.5", at)) != std::string::npos;) {
        log.replace(at, 8, "time 2.0");
    }
    return log;
}

TEST_F(CommandLine, AnalyzePrintsATable) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    const Ran ran = dlperf({"analyze", logs()});
    EXPECT_EQ(ran.exitCode, 0);
    EXPECT_NE(ran.output.find("200.00"), std::string::npos);
    EXPECT_EQ(ran.errors.find("format: dlperf-worker (1 log): 1n1g/r50_b100_fp32_1.log, line 4"), 0U);
    EXPECT_EQ(dlperf({"analyze", logs(), "--format", "dlperf-worker"}).errors, "");
}

TEST_F(CommandLine, SpeaksTheLanguageOfTheTerminal) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    setenv("LC_ALL", "zh_CN.UTF-8", 1);
    const Ran analyzed = dlperf({"analyze", logs()});
    const Ran recipe = dlperf({"recipes", "dlperf-worker"});
    unsetenv("LC_ALL");
    EXPECT_TRUE(analyzed.errors.starts_with("格式：dlperf-worker（1 个日志）：1n1g/r50_b100_fp32_1.log，"))
        << analyzed.errors;
    EXPECT_NE(recipe.output.find("\n框架          dlperf-worker\n"), std::string::npos) << recipe.output;
    EXPECT_NE(recipe.output.find("\n启动于        每个节点\n"), std::string::npos) << recipe.output;
    EXPECT_NE(recipe.output.find("\n选项：\n"), std::string::npos) << recipe.output;
}

TEST_F(CommandLine, AnalyzePrintsJson) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    EXPECT_EQ(dlperf({"analyze", logs(), "--json", "-"}).output, expectedJson + "\n");
    EXPECT_EQ(dlperf({"analyze", logs(), "--json=-", "--format", "dlperf-worker"}).output,
              expectedJson + "\n");
}

TEST_F(CommandLine, AnalyzeWritesJsonToAFile) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    const auto file = scratch.path() / "result.json";
    const Ran ran = dlperf({"analyze", logs(), "--json", file.string()});
    EXPECT_EQ(ran.exitCode, 0);
    EXPECT_EQ(ran.output, "");
    EXPECT_EQ(readFile(file).value(), expectedJson);  // as json.dump leaves it: no end of line
    const Ran both = dlperf({"analyze", logs(), "--json", file.string(), "--table", "csv"});
    EXPECT_TRUE(both.output.starts_with("model,")) << both.output;
}

TEST_F(CommandLine, AnalyzePrintsTablesForDocuments) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    EXPECT_TRUE(dlperf({"analyze", logs(), "--table", "md"}).output.starts_with("| model |"));
    EXPECT_TRUE(dlperf({"analyze", logs(), "--table", "csv"}).output.starts_with("model,"));
}

TEST_F(CommandLine, FindingsGoToStandardErrorAndChangeNoExitCode) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder.write("1n1g/r50_b100_fp32_2.log", workerLog(50));
    folder.write("1n1g/bad\x1b[31mname.log", workerLog(120));
    const Ran ran = dlperf({"analyze", logs(), "--json", "-"});
    EXPECT_EQ(ran.exitCode, 0);
    EXPECT_EQ(ran.output, expectedJson + "\n");
    EXPECT_NE(ran.errors.find("1n1g/r50_b100_fp32_2.log"), std::string::npos);
    EXPECT_NE(ran.errors.find("The run gives no figure"), std::string::npos);  // why it matters
    EXPECT_NE(ran.errors.find("bad?[31mname.log"), std::string::npos);
    EXPECT_EQ(ran.errors.find('\x1b'), std::string::npos);
}

// On standard error beside both tables and JSON; DLPerf's JSON stays DLPerf's.
TEST_F(CommandLine, AnalyzeSaysWhatRepetitionsAndSeriesShow) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder.write("1n2g/r50_b100_fp32_1.log", slowed(workerLog(120)));
    const std::string fall =
        "finding: r50 b100 fp32, 1n2g: Throughput falls: 200.00 on 1n1g, 100.00 on 1n2g (−50.0";
    EXPECT_NE(dlperf({"analyze", logs()}).errors.find(fall), std::string::npos);
    const Ran json = dlperf({"analyze", logs(), "--json", "-"});
    EXPECT_NE(json.errors.find(fall), std::string::npos) << json.errors;
    EXPECT_EQ(
        json.output,
        R"({"r50": {"1n1g": {"average_speed": 200.0, "batch_size_per_device": 100, "median_speed": 200.0, "speedup": 1.0}, )"
        R"("1n2g": {"average_speed": 100.0, "batch_size_per_device": 100, "median_speed": 100.0, "speedup": 0.5}}})"
        "\n");
}

TEST_F(CommandLine, AnalyzeTakesAWindow) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(10));
    EXPECT_EQ(dlperf({"analyze", logs(), "--warmup", "2", "--train", "10", "--json", "-"}).output,
              expectedJson + "\n");
    EXPECT_NE(dlperf({"analyze", logs(), "--json", "-"}).output.find("null"), std::string::npos);
}

std::string pytorchLog(int count) {
    std::string log;
    for (int i = 0; i < count; ++i) {
        log += "Epoch: [0][" + std::to_string(i) + "/10000]\tTime  0.500 ( 0.500)\tLoss 6.9e+00\n";
    }
    return log;
}

TEST_F(CommandLine, AWrongWindowIsSaidWithItsRemedy) {
    folder.write("1n1g/r50_b100_fp32_1.log", pytorchLog(130));
    using Words = std::vector<std::string>;
    for (const Words& window : {Words{"--warmup", "120", "--train", "20"}, Words{"--warmup", "-3"}}) {
        Words words{"analyze", logs()};
        words.insert(words.end(), window.begin(), window.end());
        const Ran found = dlperf(words);
        words.insert(words.end(), {"--format", "pytorch-examples"});
        EXPECT_EQ(found.exitCode, 2);
        EXPECT_EQ(found.errors, dlperf(words).errors);
        EXPECT_EQ(found.errors.find("--format"), std::string::npos) << found.errors;
    }
}

TEST_F(CommandLine, AFolderOneLevelTooDeepIsToldFromTheOneToName) {
    folder.write("1n1g/r50_b100_fp32_1.log", pytorchLog(130));
    const std::string remedy = "name the one above, " + logs() + ".";
    for (const std::string& deep : {logs() + "/1n1g", logs() + "/1n1g/"}) {
        const Ran found = dlperf({"analyze", deep});
        EXPECT_EQ(found.exitCode, 2);
        EXPECT_NE(found.errors.find(remedy), std::string::npos) << found.errors;
        const Ran named = dlperf({"analyze", deep, "--format", "pytorch-examples"});
        EXPECT_EQ(named.exitCode, 1);
        EXPECT_NE(named.errors.find(remedy), std::string::npos) << named.errors;
    }
}

TEST_F(CommandLine, LogsOfAnotherFormatAreToldOnce) {
    folder.write("1n1g/r50_b100_fp32_1.log", pytorchLog(130));
    folder.write("1n1g/r50_b100_fp32_2.log", pytorchLog(130));
    const Ran ran = dlperf({"analyze", logs(), "--format", "paddle-resnet50"});
    EXPECT_EQ(ran.exitCode, 1) << "nothing has a figure";
    const std::string told = "1n1g/r50_b100_fp32_1.log: 2 of 2 logs hold no line of paddle-resnet50";
    EXPECT_NE(ran.errors.find(told), std::string::npos) << ran.errors;
    EXPECT_EQ(ran.errors.find("nan"), std::string::npos) << ran.errors;
}

TEST_F(CommandLine, NoFigureAtAllIsNoSuccess) {
    folder.write("1n1g/r50_b100_fp32_1.log", pytorchLog(130));
    EXPECT_EQ(dlperf({"analyze", logs(), "--train", "500"}).exitCode, 1);
    EXPECT_EQ(dlperf({"analyze", logs(), "--train", "100"}).exitCode, 0);
}

TEST_F(CommandLine, WhatEndedATrainerIsSaid) {
    folder.write("1n1g/r50_b100_fp32_1.log", pytorchLog(4) + "RuntimeError: CUDA out of memory. Tried\n");
    const std::string errors = dlperf({"analyze", logs()}).errors;
    EXPECT_NE(errors.find("line 5 says \"RuntimeError: CUDA out of memory"), std::string::npos) << errors;
    EXPECT_NE(errors.find("Take a smaller batch size"), std::string::npos) << errors;
}

TEST_F(CommandLine, AnEmptyFolderIsEmpty) {
    const Ran ran = dlperf({"analyze", logs(), "--format", "pytorch-examples", "--json", "-"});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_EQ(ran.output, "{}\n");
}

TEST_F(CommandLine, WrongUsageIsTwoAndSaysWhy) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    const std::vector<std::vector<std::string>> wrong{{},
                                                      {"nonsense"},
                                                      {"analyze"},
                                                      {"analyze", logs(), "--bogus"},
                                                      {"analyze", logs(), "--format", "nonsense"},
                                                      {"analyze", logs(), "--table", "html"},
                                                      {"analyze", logs(), "--warmup", "x"},
                                                      {"analyze", logs(), "--warmup", "-1"},
                                                      {"analyze", logs(), "--warmup", "120"},
                                                      {"analyze", logs(), "--train", "99999999999"},
                                                      {"analyze", logs(), "--json", "-", "--table", "md"},
                                                      {"analyze", logs() + "/missing"},
                                                      {"analyze", logs() + "/1n1g/r50_b100_fp32_1.log"},
                                                      {"analyze", scratch.path().string()}};
    for (const auto& words : wrong) {
        const Ran ran = dlperf(words);
        EXPECT_EQ(ran.exitCode, 2) << join(words, " ");
        EXPECT_EQ(ran.output, "") << join(words, " ");
        EXPECT_NE(ran.errors, "") << join(words, " ");
    }
}

TEST_F(CommandLine, AMissingCommandIsOneOfThose) {
    EXPECT_NE(dlperf({}).errors.find("name a command: "), std::string::npos);
    const std::string errors = dlperf({"bench"}).errors;
    EXPECT_NE(errors.find("dlperf bench: name a command: "), std::string::npos) << errors;
    EXPECT_NE(errors.find("links"), std::string::npos) << errors;
}

// As an import judges it: a figure of the whole run is a trainer's last word.
TEST_F(CommandLine, HowATrainerEndedIsJudgedByItsOwnFigure) {
    std::string log = "DLL 2020-09-15 14:00:00.000000 - PARAMETER data : x  batch_size : 64  lr : 0.1\n";
    for (int i = 0; i < 40; ++i) {
        log += fmt::format(
            "DLL 2020-09-15 14:00:{:02}.{}00000 - Epoch: 0 Iteration: {}  train.loss : 7.0  "
            "train.total_ips : 256.0 img/s\n",
            i / 2, i % 2 == 0 ? 0 : 5, i + 1);
    }
    const std::string summary =
        "DLL 2020-09-15 14:10:00.0 - Summary: train.loss : 6.8  train.total_ips : 256.00 img/s\n";
    folder.write("1n1g/r50_b64_fp32_1.log", log);
    folder.write("1n1g/r50_b64_fp32_2.log", log + "RuntimeError: at exit\n" + summary);
    const std::string errors = dlperf({"analyze", logs()}).errors;
    EXPECT_NE(
        errors.find("_1.log: nothing says that its trainer ended by itself: the figure of the whole run"),
        std::string::npos)
        << errors;
    EXPECT_EQ(errors.find("RuntimeError"), std::string::npos) << errors;
}

TEST_F(CommandLine, WhatCannotBeWrittenIsOne) {
    folder.write("1n1g/r50_b100_fp32_1.log", workerLog(120));
    EXPECT_EQ(dlperf({"analyze", logs(), "--json", "/dev/null/x.json"}).exitCode, 1);
}

TEST_F(CommandLine, HelpAndVersionAreData) {
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"--help"}, {"--version"}, {"analyze", "--help"}, {"formats", "--help"}}) {
        const Ran ran = dlperf(words);
        EXPECT_EQ(ran.exitCode, 0);
        EXPECT_NE(ran.output, "");
        EXPECT_EQ(ran.errors, "");
    }
}

TEST_F(CommandLine, FormatsAreListed) {
    const Ran text = dlperf({"formats"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_NE(text.output.find("pytorch-examples"), std::string::npos);
    const Json list = parseJson(dlperf({"formats", "--json"}).output, "formats").value();
    ASSERT_TRUE(list.is_array());
    bool found = false;
    for (const Json& format : list) {
        if (format["name"] != "dlperf-worker") {
            continue;
        }
        found = true;
        EXPECT_EQ(format["window"]["warmup"], 20);
        EXPECT_EQ(format["window"]["train"], 120);
        EXPECT_EQ(format["unit"], "images/s");
    }
    EXPECT_TRUE(found);
}

TEST_F(CommandLine, AFormatOfAUserIsAddedWithoutCompiling) {
    folder.write("1n1g/r50_b100_fp32_1.log", "one 0.5\none 0.25\none 0.5\n");
    scratch.write("own.json", R"({"name": "mine", "window": {"warmup": 1, "train": 3},
        "lines": {"start": "one "}, "value": {"after": "one ", "is": "seconds"}})");
    const std::string own = (scratch.path() / "own.json").string();
    const Ran ran = dlperf({"analyze", logs(), "--formats", own, "--json", "-"});
    EXPECT_EQ(ran.exitCode, 0) << ran.errors;
    EXPECT_NE(ran.output.find("\"median_speed\": 266.67"), std::string::npos) << ran.output;
    EXPECT_EQ(dlperf({"analyze", logs(), "--formats", own, "--format", "mine", "--json=-"}).output,
              ran.output);
    scratch.write("own.json", R"({"name": "mine", "lines": {"start": "one "}})");
    const Ran broken = dlperf({"analyze", logs(), "--formats", own});
    EXPECT_EQ(broken.exitCode, 2);
    EXPECT_NE(broken.errors.find("value"), std::string::npos) << broken.errors;
}

constexpr long mostMemory = test::sanitized ? 400'000 : 64 << 10;  // KiB, mapped pages of the log included

TEST_F(CommandLine, ALogWithoutAnEndOfLineIsReadInBoundedMemory) {
    folder.write("1n1g/r50_b100_fp32_1.log", "Epoch: [0][ 7/53]\tTime  0.3");
    std::filesystem::resize_file(folder.path() / "1n1g/r50_b100_fp32_1.log", 512U << 20U);
    const Ran ran = dlperf({"analyze", logs(), "--format", "pytorch-examples"});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_NE(ran.errors.find("longer than 64 KiB"), std::string::npos) << ran.errors;
    rusage used{};
    ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
    EXPECT_LT(used.ru_maxrss, mostMemory);
}

}  // namespace
}  // namespace dlperf::analysis
