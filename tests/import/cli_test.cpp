// SPDX-License-Identifier: Apache-2.0
// The contract of `dlperf import`: exit codes, what goes to which stream, and what Ctrl-C leaves.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/results.h"
#include "tests/support/program.h"

namespace dlperf::imports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using test::Ran;
using test::workerLog;

class ImportCommand : public testing::Test {
protected:
    Ran dlperf(const std::vector<std::string>& words) const {
        return test::runProgram(DLPERF_BINARY_DIR "/bin/dlperf", words, scratch_);
    }
    std::string logs() const { return (folder_.path() / "logs").string(); }
    std::string workspace() const { return (folder_.path() / "w").string(); }
    bool workspaceExists() const { return std::filesystem::exists(workspace()); }

    test::Folder folder_;
    test::Folder scratch_;
};

TEST_F(ImportCommand, OneThatCameToNothingLeavesNoWorkspace) {
    folder_.write("logs/odd.log", "hello\n");
    EXPECT_EQ(dlperf({"import", logs(), "--workspace", workspace()}).exitCode, 1);
    EXPECT_FALSE(workspaceExists());
    std::filesystem::create_directories(workspace());
    EXPECT_EQ(dlperf({"import", logs(), "--workspace", workspace()}).exitCode, 1);
    EXPECT_TRUE(workspaceExists()) << "it was there before";
}

TEST_F(ImportCommand, PrintsThePlanAndImports) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder_.write("logs/1n1g/odd.log", "hello\n");
    const Ran ran = dlperf({"import", logs(), "--workspace", workspace()});
    EXPECT_EQ(ran.exitCode, 0);
    EXPECT_THAT(ran.output, HasSubstr("r50_b100_fp32_1.log"));
    EXPECT_THAT(ran.output, HasSubstr("dlperf-worker r50 b100 fp32 1n1g, repetition 1"));
    EXPECT_THAT(ran.errors, HasSubstr("skipped: 1n1g/odd.log: no known format"));
    EXPECT_THAT(ran.errors, HasSubstr("saving logs: 100 %\n"));
    EXPECT_THAT(ran.errors, Not(HasSubstr("\r")));
    const auto results = store::readResults(store::Workspace::open(workspace()).value());
    ASSERT_EQ(results->results.size(), 1U);
    EXPECT_EQ(results->results.front().throughput, 200.0);
}

TEST_F(ImportCommand, APrecisionThatNobodyKnowsIsTakenAndNamed) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    const Ran ran = dlperf({"import", logs(), "--workspace", workspace(), "--precision", "fp33"});
    EXPECT_EQ(ran.exitCode, 0) << ran.errors;
    EXPECT_THAT(ran.errors,
                HasSubstr("\"fp33\" is not a precision known here: fp32, fp16, bf16, tf32, amp\n"));
    EXPECT_THAT(ran.errors, HasSubstr("1 log is in "));
    const Ran known = dlperf({"import", logs(), "--workspace", workspace(), "--precision", "FP16"});
    EXPECT_THAT(known.errors, Not(HasSubstr("not a precision")));
}

TEST_F(ImportCommand, TryingWritesNothing) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    const Ran ran = dlperf({"import", logs(), "--workspace", workspace(), "--dry-run"});
    EXPECT_EQ(ran.exitCode, 0);
    EXPECT_THAT(ran.errors, HasSubstr("1 of 1 logs would be imported as imported-logs"));
    EXPECT_FALSE(workspaceExists());
}

TEST_F(ImportCommand, TheWorkspaceKnowsFormatsThatWereGivenToItOnce) {
    const std::string format =
        R"({"name": "mine", "window": {"warmup": 1, "train": 3}, "lines": {"contain": ["V="]},
                                   "value": {"after": "V=", "is": "speed"}, "rule": "mean-of-speeds"})";
    folder_.write("mine.json", format);
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", "V=1\nV=10\nV=20\n");
    const std::string file = (folder_.path() / "mine.json").string();
    EXPECT_EQ(dlperf({"import", logs(), "--workspace", workspace()}).exitCode, 1);
    EXPECT_EQ(dlperf({"import", logs(), "--workspace", workspace(), "--formats", file}).exitCode, 0);
    const auto stored = store::readResults(*store::Workspace::open(workspace()));
    ASSERT_EQ(stored->results.size(), 1U);
    const auto beside = std::filesystem::path(workspace()) / stored->results.front().folder / "format.json";
    EXPECT_EQ(Json::parse(readFile(beside).value()), Json::parse(format)) << "for who reads the log later";
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", "V=1\nV=20\nV=30\n");
    EXPECT_EQ(dlperf({"import", logs(), "--workspace", workspace(), "--format", "mine"}).exitCode, 0);
    EXPECT_THAT(dlperf({"formats", "--workspace", workspace()}).output, HasSubstr("mine "));
    const std::string report = (folder_.path() / "r.md").string();
    EXPECT_EQ(dlperf({"report", "--workspace", workspace(), "-o", report}).exitCode, 0);
    EXPECT_THAT(readFile(report).value(), HasSubstr("a log format of the user's own"));
    const Json all = Json::parse(dlperf({"formats", "--json", "--workspace", workspace()}).output);
    EXPECT_EQ(all.front(), Json::parse(format));
    folder_.write("mine.json", R"({"name": "mine", "lines": {"contain": ["W="]},
                                   "value": {"after": "W=", "is": "speed"}, "rule": "mean-of-speeds"})");
    const Ran another = dlperf({"import", logs(), "--workspace", workspace(), "--formats", file});
    EXPECT_EQ(another.exitCode, 2);
    EXPECT_THAT(another.errors, HasSubstr("the format mine is in the workspace's formats.json already"));
    EXPECT_EQ(dlperf({"formats", "--workspace", logs() + "/none"}).exitCode, 2);
}

TEST_F(ImportCommand, WhatIsRefusedMakesNoWorkspace) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder_.write("odd.json", R"({"name": "mxnet-resnet50", "lines": {"contain": ["V="]},
                                  "value": {"after": "V=", "is": "speed"}, "rule": "mean-of-speeds"})");
    const std::string file = (folder_.path() / "odd.json").string();
    for (const auto& [option, value] : {std::pair<std::string, std::string>{"--format", "nonsense"},
                                        {"--formats", file},
                                        {"--formats", file + ".not"},
                                        {"--topology", "2x8"},
                                        {"--name", "../up"}}) {
        EXPECT_EQ(dlperf({"import", logs(), "--workspace", workspace(), option, value}).exitCode, 2) << value;
        EXPECT_FALSE(workspaceExists()) << value;
    }
}

TEST_F(ImportCommand, SaysWhyALogHasNoFigure) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120).substr(0, workerLog(120).size() / 4));
    const Ran ran =
        dlperf({"import", logs(), "--workspace", workspace(), "--warmup", "20", "--train", "9999"});
    const auto results = store::readResults(store::Workspace::open(workspace()).value());
    ASSERT_EQ(results->results.size(), 1U);
    ASSERT_FALSE(results->results[0].reason.empty());
    EXPECT_THAT(ran.errors, HasSubstr("now, it has no figure: " + results->results[0].reason));
}

TEST_F(ImportCommand, SaysHowAFormatWasFoundOnce) {
    for (const int repetition : {1, 2, 3}) {
        folder_.write("logs/1n1g/r50_b100_fp32_" + std::to_string(repetition) + ".log",
                      workerLog(120 + repetition));
    }
    const Ran ran = dlperf({"import", logs(), "--workspace", workspace(), "--dry-run"});
    EXPECT_THAT(ran.output, testing::Not(HasSubstr(" is one of ")));
    EXPECT_THAT(ran.errors, HasSubstr("format: dlperf-worker (3 logs): 1n1g/r50_b100_fp32_1.log, line "));
}

TEST_F(ImportCommand, NotesAFrameworkThatIsNotOfTheLogs) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    const auto said = [&](const char* framework) {
        return dlperf({"import", logs(), "--workspace", workspace(), "--dry-run", "--framework", framework})
            .errors;
    };
    EXPECT_THAT(said("nosuch"), HasSubstr("note: \"nosuch\" is not a framework known here"));
    EXPECT_THAT(said("pytorch"),
                HasSubstr("note: the logs are of dlperf-worker, which is of the framework "));
    EXPECT_THAT(said("pytorch"), testing::Not(HasSubstr("known here")));
}

TEST_F(ImportCommand, AnImportThatIsALinkIsNotFilled) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder_.write("outside/kept", "");
    std::filesystem::create_directories(workspace() + "/logs");
    std::filesystem::create_directory_symlink(folder_.path() / "outside", workspace() + "/logs/imported-x");
    const Ran ran = dlperf({"import", logs(), "--workspace", workspace(), "--name", "x"});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_THAT(ran.errors, HasSubstr("logs/imported-x: is a link"));
    EXPECT_EQ(entriesOf(folder_.path() / "outside").size(), 1U);
}

TEST_F(ImportCommand, WhatIsThereAlreadyIsNamed) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    ASSERT_EQ(dlperf({"import", logs(), "--workspace", workspace(), "--name", "x"}).exitCode, 0);
    EXPECT_THAT(dlperf({"import", logs(), "--workspace", workspace()}).errors,
                HasSubstr("already, the first as "));
}

TEST_F(ImportCommand, AnImportedRunIsShownByTheIdThatReportsGive) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    ASSERT_EQ(dlperf({"import", logs(), "--workspace", workspace(), "--name", "x"}).exitCode, 0);
    const Ran shown = dlperf({"show", "--workspace", workspace(), "x/0001"});
    ASSERT_EQ(shown.exitCode, 0) << shown.errors;
    for (const char* words : {"x/0001  ", "200.00 images/s", "imported, ok", "dlperf-worker",
                              "1n1g/r50_b100_fp32_1.log", "after "}) {
        EXPECT_THAT(shown.output, HasSubstr(words));
    }
    const Json json = Json::parse(dlperf({"show", "--workspace", workspace(), "x/0001", "--json"}).output);
    EXPECT_EQ(json["facts"]["imported_from"], "1n1g/r50_b100_fp32_1.log");
    EXPECT_EQ(dlperf({"logs", "--workspace", workspace(), "x/0001"}).output, workerLog(120));
    EXPECT_EQ(dlperf({"show", "--workspace", workspace(), "x/0002"}).exitCode, 2);
}

TEST_F(ImportCommand, WithAllOthersMakesTheFolderOfItsOutput) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    const auto file = [&](const std::string& name) { return (folder_.path() / name).string(); };
    for (const auto& [words, output] :
         {std::pair<std::vector<std::string>, std::string>{{"import", logs(), "--json"}, file("a/x.json")},
          {{"explain", "--json"}, file("b/x.json")},
          {{"report", "-o"}, file("c/x.md")},
          {{"publish", "-o"}, file("d/x.tar.gz")}}) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {output, "--workspace", workspace()});
        const Ran ran = dlperf(all);
        EXPECT_EQ(ran.exitCode, 0) << ran.errors;
        EXPECT_TRUE(std::filesystem::exists(output)) << output;
    }
}

TEST_F(ImportCommand, JsonTellsWhatBecameOfEachLog) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder_.write("logs/1n1g/r50_b100_fp32_2.log", workerLog(120));
    const Ran ran =
        dlperf({"import", logs(), "--workspace", workspace(), "--json", "-", "--precision", "bf16"});
    ASSERT_EQ(ran.exitCode, 0) << ran.errors;
    const Json json = Json::parse(ran.output);
    EXPECT_EQ(json["imported"], 1);
    EXPECT_EQ(json["duplicates"], 1);
    const Json& log = json["logs"][0];
    EXPECT_EQ(log["verdict"], "new");
    EXPECT_EQ(log["throughput"], 200.0);
    EXPECT_EQ(log["case"]["precision"], "bf16");
    EXPECT_EQ(log["sha256"].get<std::string>().size(), 64U);
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(workspace()) / log["file"].get<std::string>()));
    EXPECT_EQ(json["logs"][1]["same_as"], "1n1g/r50_b100_fp32_1.log");
}

TEST_F(ImportCommand, ExitCodesSayWhoseFaultItIs) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    folder_.write("broken.zip", "PK\x03\x04");
    folder_.write("none/readme", "x");
    const auto code = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "import");
        words.insert(words.end(), {"--workspace", workspace()});
        return dlperf(words).exitCode;
    };
    EXPECT_EQ(code({logs()}), 0);
    EXPECT_EQ(code({logs()}), 0) << "nothing is new: there is nothing to do";
    EXPECT_EQ(code({logs(), "--dry-run"}), 0);
    EXPECT_EQ(code({(folder_.path() / "none").string()}), 1);
    EXPECT_EQ(code({(folder_.path() / "broken.zip").string()}), 2);
    EXPECT_EQ(code({(folder_.path() / "nowhere").string()}), 2);
    EXPECT_EQ(code({logs(), "--format", "nonsense"}), 2);
    EXPECT_EQ(code({logs(), "--topology", "2x8"}), 2);
    EXPECT_EQ(code({logs(), "--batch-size", "-1"}), 2);
    EXPECT_EQ(code({logs(), "--name", "../up"}), 2);
    EXPECT_EQ(dlperf({"import", logs()}).exitCode, 2);
}

TEST_F(ImportCommand, WhatRunsNowhereIsNamedAllTheSame) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    ASSERT_EQ(dlperf({"import", logs(), "--workspace", workspace(), "--name", "theirs"}).exitCode, 0);
    const auto said = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--workspace", workspace()});
        const Ran ran = dlperf(words);
        return ran.output + ran.errors;
    };
    EXPECT_EQ(said({"status"}), "nothing has run here\ntheirs  import: 1 log, with a figure\n");
    EXPECT_THAT(said({"resume"}), HasSubstr("there is nothing to go on with"));
    EXPECT_THAT(said({"show", "1"}),
                AllOf(HasSubstr("there is no run 1"), HasSubstr("`dlperf compare` shows what was imported")));
    const std::string id = store::readResults(store::Workspace::open(workspace()).value())->results.at(0).id;
    EXPECT_THAT(said({"show", id + "x"}), HasSubstr("Did you mean " + id));
    EXPECT_THAT(said({"retry", "--campaign", "zz"}), HasSubstr("there is no campaign zz"));
}

TEST_F(ImportCommand, APublishThatIsRefusedLeavesNoFolder) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    ASSERT_EQ(dlperf({"import", logs(), "--workspace", workspace()}).exitCode, 0);
    const auto publish = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"publish", "--workspace", workspace(), "-o",
                                       (folder_.path() / "new/ones/b.tar").string()};
        words.insert(words.end(), more.begin(), more.end());
        return dlperf(words).exitCode;
    };
    EXPECT_EQ(publish({"--campaign", "another"}), 2);
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "new"));
    std::filesystem::create_symlink("/of a disk that is not mounted", folder_.path() / "new");
    EXPECT_NE(publish({}), 0);
    EXPECT_TRUE(std::filesystem::is_symlink(folder_.path() / "new")) << "it was there before";
    std::filesystem::remove(folder_.path() / "new");
    EXPECT_EQ(publish({}), 0);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "new/ones/b.tar"));
}

// The log is a pipe's worth of gigabytes that costs no disk: a hole, which reads as zeros.
TEST_F(ImportCommand, CtrlCLeavesNothing) {
    folder_.write("logs/1n1g/r50_b100_fp32_1.log", workerLog(120));
    std::filesystem::resize_file(folder_.path() / "logs/1n1g/r50_b100_fp32_1.log", 16ULL << 30U);
    const std::string errors = (scratch_.path() / "errors").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT, 0600);
    std::string program = DLPERF_BINARY_DIR "/bin/dlperf";
    std::string word = "import";
    std::string folder = logs();
    std::string option = "--workspace=" + workspace();
    char* words[] = {program.data(), word.data(), folder.data(), option.data(), nullptr};
    pid_t pid = 0;
    ASSERT_EQ(::posix_spawn(&pid, program.c_str(), &actions, nullptr, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    const auto said = [&](const char* text) {
        const auto all = readFile(errors);
        return all && all->find(text) != std::string::npos;
    };
    while (!said("saving logs: 0 %") && ::waitpid(pid, nullptr, WNOHANG) == 0) {
        ::usleep(10'000);
    }
    ::kill(pid, SIGINT);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_TRUE(said("the import was cancelled"));
    EXPECT_FALSE(workspaceExists());
}

}  // namespace
}  // namespace dlperf::imports
