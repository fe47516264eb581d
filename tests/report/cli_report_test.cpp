// SPDX-License-Identifier: Apache-2.0
// `dlperf report` as a user types it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/report/fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::report {
namespace {

namespace fs = std::filesystem;

class CliReport : public testing::Test {
protected:
    // Exit code; what the program said is in messages().
    int run(const fs::path& workspace, const fs::path& output,
            const std::vector<std::string>& options = {}) const {
        std::string command = shellQuote(DLPERF_BINARY_DIR "/bin/dlperf") + " report --workspace " +
                              shellQuote(workspace.string()) + " -o " + shellQuote(output.string());
        for (const std::string& option : options) {
            command += " " + shellQuote(option);
        }
        command += " 2>" + shellQuote(messagesFile().string());
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    fs::path messagesFile() const { return folder_.path() / "messages"; }
    std::string messages() const { return test::orThrow(readFile(messagesFile())); }
    fs::path workspaceWithRuns() const {
        const auto workspace = test::orThrow(store::Workspace::open(folder_.path() / "w"));
        store::test::putRun(workspace, store::test::someRecord({1, 1}, 1, 354.25));
        store::test::putRun(workspace, store::test::someRecord({1, 8}, 1, 2612.5));
        return workspace.root();
    }

    store::test::Folder folder_;
};

TEST_F(CliReport, WritesEveryEndingThatItNames) {
    const fs::path workspace = workspaceWithRuns();
    for (const char* name : {"r.md", "r.html", "r.csv", "r.json"}) {
        EXPECT_EQ(run(workspace, folder_.path() / name), 0) << messages();
        const std::string text = test::orThrow(readFile(folder_.path() / name));
        EXPECT_NE(text.find("354.25"), std::string::npos) << name;
    }
    EXPECT_EQ(messages(), "wrote " + (folder_.path() / "r.json").string() + "\n");
    EXPECT_EQ(run(workspace, folder_.path() / "c.md"), 0);
    const auto charts = std::ranges::count_if(  // none where it was built without them
        fs::directory_iterator(folder_.path()),
        [](const fs::directory_entry& file) { return file.path().filename().string().starts_with("c-"); });
    const std::string beside = charts == 0 ? "" : fmt::format(" and {} files beside it", charts);
    EXPECT_EQ(messages(), fmt::format("wrote {}{}\n", (folder_.path() / "c.md").string(), beside));
}

TEST_F(CliReport, AnOptionWithNothingInItIsRefused) {
    const fs::path workspace = workspaceWithRuns();
    for (const char* option : {"--pivot", "--template", "--title"}) {
        EXPECT_EQ(run(workspace, folder_.path() / "r.md", {option, ""}), 2) << option;
        EXPECT_NE(messages().find(std::string(option) + ": is empty"), std::string::npos) << messages();
    }
    EXPECT_FALSE(fs::exists(folder_.path() / "r.md"));
}

TEST_F(CliReport, WritesATableOfOnesOwn) {
    const fs::path workspace = workspaceWithRuns();
    const fs::path output = folder_.path() / "p.csv";
    ASSERT_EQ(run(workspace, output, {"--pivot", "topology:framework:efficiency"}), 0) << messages();
    EXPECT_NE(test::orThrow(readFile(output)).find("\r\n1n8g,0.92"), std::string::npos);
    // A view brings its filters, published figures among them.
    ASSERT_EQ(run(workspace, output, {"--pivot", "Five frameworks by batch size"}), 0) << messages();
    EXPECT_NE(test::orThrow(readFile(output)).find("\r\n1n1g,32,,306.82,217.57,,311.51,"), std::string::npos);
    EXPECT_NE(run(workspace, output, {"--pivot", "frameworks"}), 0);
    EXPECT_NE(messages().find("\"Five frameworks by batch size\""), std::string::npos) << messages();
}

TEST_F(CliReport, CompareSaysItOnTheTerminal) {
    const fs::path workspace = workspaceWithRuns();
    const fs::path printed = folder_.path() / "printed";
    const std::string command = shellQuote(DLPERF_BINARY_DIR "/bin/dlperf") + " compare --workspace " +
                                shellQuote(workspace.string()) + " >" + shellQuote(printed.string());
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string text = test::orThrow(readFile(printed));
    for (const char* words : {"354.25", "2,612.50", "7.37"}) {
        EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
    }
}

TEST_F(CliReport, CompareSaysWhyThereIsNoFigure) {
    const fs::path workspace = workspaceWithRuns();
    auto record = store::test::someRecord({2, 8}, 1, 1);
    record.result.throughput.reset();
    record.result.outcome = Outcome::Failed;
    record.result.reason = "no route to host";
    store::test::putRun(*store::Workspace::open(workspace), record);
    auto cancelled = store::test::someRecord({4, 8}, 1, 1);
    cancelled.result.throughput.reset();
    cancelled.result.outcome = Outcome::Cancelled;
    store::test::putRun(*store::Workspace::open(workspace), cancelled);
    const fs::path printed = folder_.path() / "printed";
    const std::string command = shellQuote(DLPERF_BINARY_DIR "/bin/dlperf") + " compare --workspace " +
                                shellQuote(workspace.string()) + " >" + shellQuote(printed.string());
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string text = test::orThrow(readFile(printed));
    EXPECT_NE(text.find("1 case has no figure:\n  PyTorch, 2n8g: 1 of 1 failed: no route to host\n"
                        "1 case was cancelled.\n"),
              std::string::npos)
        << text;
}

TEST_F(CliReport, CompareSaysWhichRepetitionsFailedAndWhatStandsOut) {
    const auto workspace = test::orThrow(store::Workspace::open(folder_.path() / "w"));
    for (int repetition = 1; repetition <= 12; ++repetition) {  // each ten topologies fall
        store::test::putRun(workspace, store::test::someRecord({1, repetition}, 1, 1000.0 / repetition));
    }
    store::RunRecord crashed = store::test::someRecord({1, 1}, 2, 0);
    crashed.result.outcome = Outcome::Failed;
    crashed.result.throughput.reset();
    crashed.result.reason = "exit code 1";
    store::test::putRun(workspace, crashed);
    const fs::path output = folder_.path() / "compared";
    ASSERT_EQ(std::system((shellQuote(DLPERF_BINARY_DIR "/bin/dlperf") + " compare --workspace " +
                           shellQuote(workspace.root().string()) + " >" + shellQuote(output.string()))
                              .c_str()),
              0);
    const std::string text = test::orThrow(readFile(output));
    EXPECT_NE(text.find(", 1n1g: 1 of 2 failed: exit code 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("1n2g: Throughput falls: 1,000.00 on 1n1g, 500.00 on 1n2g"), std::string::npos)
        << text;
    EXPECT_NE(text.find("findings not listed here: 1; `dlperf report` has all of them"), std::string::npos)
        << text;
}

TEST_F(CliReport, ADamagedRunIsNamedInTheReportAndOnStandardError) {
    const auto workspace = test::orThrow(store::Workspace::open(folder_.path() / "w"));
    store::test::putRun(workspace, store::test::someRecord({1, 1}, 1, 354.25));
    const fs::path run8 = store::test::putRun(workspace, store::test::someRecord({1, 8}, 1, 2612.5));
    std::ofstream(run8 / "journal.jsonl") << "{}\n";
    const fs::path file = run8 / "run.json";
    const std::string whole = test::orThrow(readFile(file));
    const fs::path output = folder_.path() / "r.md";
    const auto expectWarning = [&](const char* damage) {
        EXPECT_EQ(run(workspace.root(), output), 0) << damage;
        for (const std::string& text : {messages(), test::orThrow(readFile(output))}) {
            EXPECT_NE(text.find("the run is missing from the results"), std::string::npos) << damage << text;
            EXPECT_NE(text.find("run.json"), std::string::npos) << damage << text;
            EXPECT_NE(text.find("Restore the file from a backup"), std::string::npos) << damage << text;
        }
    };
    std::ofstream(file) << whole.substr(0, whole.size() / 2);
    expectWarning("torn");
    std::ofstream(file) << R"({"id": "c/0001"})";
    expectWarning("without an outcome");
    fs::remove(file);
    expectWarning("gone");
    std::ofstream(file) << whole;
    EXPECT_EQ(run(workspace.root(), output), 0);
    EXPECT_EQ(messages().find("missing"), std::string::npos) << messages();
}

TEST_F(CliReport, WithoutResultsThereIsAMessageAndNoFile) {
    const fs::path output = folder_.path() / "r.md";
    fs::create_directories(folder_.path() / "empty");
    EXPECT_EQ(run(folder_.path() / "empty", output), 1);
    EXPECT_NE(messages().find("has no results yet"), std::string::npos);
    EXPECT_FALSE(fs::exists(output));
}

TEST_F(CliReport, AMistypedWorkspaceIsNotMade) {
    const fs::path output = folder_.path() / "r.md";
    EXPECT_EQ(run(folder_.path() / "nowhere", output), 2);
    EXPECT_FALSE(fs::exists(folder_.path() / "nowhere"));
}

TEST_F(CliReport, AnEndingThatCannotBeWrittenIsWrongUsage) {
    EXPECT_EQ(run(workspaceWithRuns(), folder_.path() / "r.docx"), 2);
    EXPECT_NE(messages().find(".md, .html"), std::string::npos);
}

TEST_F(CliReport, PartsAreOfLatexOnly) {
    const fs::path workspace = workspaceWithRuns();
    EXPECT_EQ(run(workspace, folder_.path() / "r.md", {"--latex-parts"}), 2);
    EXPECT_NE(messages().find("only a .tex file is written in parts"), std::string::npos);
    ASSERT_EQ(run(workspace, folder_.path() / "r.tex", {"--latex-parts"}), 0) << messages();
    EXPECT_TRUE(fs::exists(folder_.path() / "r-table-1.tex"));
}

TEST_F(CliReport, ATemplateOfTheWorkspaceIsUsed) {
    const fs::path workspace = workspaceWithRuns();
    EXPECT_EQ(run(workspace, folder_.path() / "r.md", {"--template", "weekly"}), 2);
    EXPECT_NE(messages().find("no template \"weekly\""), std::string::npos);
    fs::create_directories(workspace / "templates");
    std::ofstream(workspace / "templates" / "weekly.json")
        << R"({"title": "Week 48", "parts": ["method", "results"], "summaries": [
               {"heading": "ResNet50 v1.5, fp32, batch size 128", "text": "x", "in_place_of": "other figures"}]})";
    ASSERT_EQ(run(workspace, folder_.path() / "r.md", {"--template", "weekly", "--language", "en"}), 0);
    const std::string text = test::orThrow(readFile(folder_.path() / "r.md"));
    EXPECT_TRUE(text.starts_with("# Week 48\n")) << text;
    EXPECT_LT(text.find("## Method"), text.find("354.25"));
    EXPECT_EQ(text.find("## Test environment"), std::string::npos);
    EXPECT_NE(messages().find("other figures"), std::string::npos) << messages();
}

TEST_F(CliReport, AFolderThatCannotBeWrittenIsAFailure) {
    std::ofstream(folder_.path() / "file") << "x";
    EXPECT_EQ(run(workspaceWithRuns(), folder_.path() / "file" / "r.md"), 1);
}

}  // namespace
}  // namespace dlperf::report
