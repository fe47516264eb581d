// SPDX-License-Identifier: Apache-2.0
// `dlperf init`, `recipes`, `show` and `logs`: what one begins with, and what one looks at afterwards.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "core/base/text.h"
#include "core/store/notes.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Look : public testing::Test {
protected:
    std::vector<std::string> with(std::vector<std::string> words) {
        words.insert(words.end(), {"--workspace", lab.workspace.root().string()});
        return words;
    }
    Ended init(std::vector<std::string> words) {
        words.insert(words.begin(), {"init", (lab.root / "begun").string(), "--recipe", "toy", "--recipes",
                                     DLPERF_SOURCE_DIR "/tests/run/recipes"});
        return lab.dlperf(words);
    }

    // What a script of the shell prints.
    std::string saidBy(const std::string& script) {
        const std::string said = (lab.root / "said").string();
        const std::string command = "sh -c " + shellQuote(script);
        EXPECT_NE(std::system((command + " </dev/null >" + shellQuote(said) + " 2>&1").c_str()), -1);
        return slurp(said);
    }
    static std::string commandOf(const std::vector<std::string>& words) {
        std::string command = shellQuote(DLPERF_BINARY_DIR "/bin/dlperf");
        for (const std::string& word : words) {
            command.append(" ").append(shellQuote(word));
        }
        return command;
    }
    // What dlperf shows on a terminal of its own until it ends.
    std::string screenOf(const std::vector<std::string>& words) {
        return saidBy("python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' " + commandOf(words));
    }

    Lab lab;
};

TEST_F(Look, ThePlanThatInitWritesRuns) {
    const Ended begun = init({"--topologies", "1n1g", "--repetitions", "1"});
    ASSERT_EQ(begun.exitCode, 0) << begun.errors;
    EXPECT_THAT(begun.output, HasSubstr("dlperf run plan.json"));
    const Ended ran = lab.dlperf(lab.runArguments(lab.root / "begun/plan.json"));
    EXPECT_EQ(ran.exitCode, 0) << ran.errors;
    EXPECT_EQ(lab.runs().size(), 1U);
    EXPECT_EQ(init({}).exitCode, 2) << "nothing is written over";
    EXPECT_EQ(init({"--force"}).exitCode, 0);
}

TEST_F(Look, InitWritesNothingThatIsWrong) {
    EXPECT_THAT(init({"--precision", "fp65"}).errors, HasSubstr("does not train in \"fp65\""));
    EXPECT_THAT(init({"--batch-sizes", "8,x"}).errors, HasSubstr("\"x\" is no number"));
    EXPECT_EQ(init({"--topologies", "0n1g"}).exitCode, 2);
    EXPECT_EQ(init({"--nodes", "me@node2:ssh"}).exitCode, 2);
    EXPECT_THAT(init({"--nodes", "a:22,a:2222"}).errors, HasSubstr("two nodes are called"));
    EXPECT_THAT(init({"--repetitions", "3,4"}).errors, HasSubstr("one number"));
    EXPECT_FALSE(std::filesystem::exists(lab.root / "begun"));
    EXPECT_THAT(lab.dlperf({"init", (lab.root / "begun").string(), "--recipe", "pytroch"}).errors,
                HasSubstr("Did you mean \"pytorch\"?"));
}

TEST_F(Look, InitWritesNodesAsSshKnowsThem) {
    ASSERT_EQ(init({"--nodes", "node1,me@10.0.0.2:2222"}).exitCode, 0);
    const Json json = Json::parse(slurp(lab.root / "begun/cluster.json"));
    EXPECT_EQ(json["nodes"][0]["host"], "node1");
    EXPECT_EQ(json["nodes"][1]["port"], 2222);
    EXPECT_EQ(json["nodes"][1]["user"], "me");
}

TEST_F(Look, RecipesAreListedWithTheirOptions) {
    const Ended all = lab.dlperf({"recipes"});
    EXPECT_EQ(all.exitCode, 0) << all.errors;
    EXPECT_THAT(all.output, AllOf(HasSubstr("dlperf-worker "), HasSubstr("pytorch ")));
    const Ended one = lab.dlperf({"recipes", "pytorch", "--json"});
    const Json json = Json::parse(one.output);
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["framework"], "PyTorch");
    EXPECT_THAT(lab.dlperf({"recipes", "pytorch"}).output,
                HasSubstr("launcher (torchrun of torchrun, mpirun"));
    EXPECT_EQ(lab.dlperf({"recipes", "nothing"}).exitCode, 2);
}

TEST_F(Look, ARunIsShownAndItsLogPrinted) {
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan())).exitCode, 0);
    const RunState run = lab.runs().front();
    const std::string number = run.id.substr(run.id.find('/') + 1);
    for (const auto& words :
         {std::vector<std::string>{"show"}, {"show", number}, {"show", "1"}, {"show", run.id}}) {
        EXPECT_THAT(lab.dlperf(with(words)).output,
                    AllOf(HasSubstr(run.id), HasSubstr("16.00 images/s"), HasSubstr(run.path.string())));
    }
    EXPECT_EQ(Json::parse(lab.dlperf(with({"show", "--json"})).output)["throughput"], 16.0);
    EXPECT_EQ(lab.dlperf(with({"logs", number})).output, lab.log(run));
    EXPECT_EQ(lab.dlperf(with({"logs", "-f"})).output, lab.log(run)) << "it has ended";
    EXPECT_THAT(lab.dlperf(with({"logs", "--node", "1"})).errors, HasSubstr("node 1 has printed nothing"));
    EXPECT_EQ(lab.dlperf(with({"logs", "--node", run.nodes.front()})).output, lab.log(run));
    EXPECT_THAT(
        lab.dlperf(with({"logs", "--node", "none"})).errors,
        AllOf(HasSubstr("the run has no node none"), HasSubstr("Its nodes are " + run.nodes.front())));
    EXPECT_THAT(lab.dlperf(with({"show", run.id + "1"})).errors, HasSubstr("Did you mean " + run.id));
}

TEST_F(Look, WithoutAnythingToTryNoFolderOfPlansIsMade) {
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan())).exitCode, 0);
    const std::filesystem::path plans = lab.root / "plans";
    const Ended explained = lab.dlperf(with({"explain", "--plans", plans.string()}));
    EXPECT_EQ(explained.exitCode, 0) << explained.errors;
    EXPECT_THAT(explained.errors, HasSubstr("There is nothing to try: no plan was written"));
    EXPECT_FALSE(std::filesystem::exists(plans));
}

TEST_F(Look, ALogThatIsNoFileIsNotPrinted) {
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan())).exitCode, 0);
    const std::filesystem::path log = lab.runs().front().path / "node0.log";
    std::filesystem::remove(log);
    std::filesystem::create_symlink("/etc/passwd", log);
    const Ended linked = lab.dlperf(with({"logs"}));
    EXPECT_THAT(linked.errors, AllOf(HasSubstr(log.string()), HasSubstr("is a link")));
    EXPECT_EQ(linked.output, "");
    std::filesystem::remove(log);
    ASSERT_EQ(::mkfifo(log.c_str(), 0600), 0);
    const Ended pipe = lab.dlperf(with({"logs"}));
    EXPECT_THAT(pipe.errors, HasSubstr("is not a file"));
}

TEST_F(Look, EveryCommandNamesADamagedJournal) {
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan())).exitCode, 0);
    const std::string id = lab.runs().front().id;
    std::ofstream(lab.workspace.campaigns() / lab.status().back().id / "journal.jsonl") << "{\"a\n";
    for (const auto& words : {std::vector<std::string>{"status"},
                              {"status", "--watch"},
                              {"show"},
                              {"show", id},
                              {"logs"},
                              {"cancel"},
                              {"cancel", "--run", id},
                              {"resume"},
                              {"resume", "--retry-failed"},
                              {"clean", "--dry-run"}}) {
        const Ended ended = lab.dlperf(with(words));
        EXPECT_THAT(ended.errors, AllOf(HasSubstr("dlperf " + words[0]), HasSubstr("line 1 of the journal"),
                                        HasSubstr("Restore the file")));
        EXPECT_EQ(ended.exitCode, 1) << words[0];
    }
}

TEST_F(Look, AnExcludedRunSaysSoAndWhy) {
    ASSERT_EQ(lab.dlperf(lab.runArguments(lab.plan())).exitCode, 0);
    const RunState run = lab.runs().front();
    EXPECT_THAT(lab.dlperf(with({"status"})).output, Not(HasSubstr("excluded")));
    EXPECT_TRUE(Json::parse(lab.dlperf(with({"show", "--json"})).output)["excluded"].is_null());
    ASSERT_TRUE(store::writeNote(lab.workspace, run.id, {"", true, "the fan\x1b[31m failed"}));
    EXPECT_THAT(lab.dlperf(with({"status"})).output,
                AllOf(HasSubstr("excluded from the medians: the fan"), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(lab.dlperf(with({"show"})).output, ContainsRegex("excluded +the fan"));
    const Json status = Json::parse(lab.dlperf(with({"status", "--json"})).output);
    EXPECT_THAT(status["campaigns"][0]["runs"][0]["excluded"].get<std::string>(), HasSubstr("the fan"));
    ASSERT_TRUE(store::writeNote(lab.workspace, run.id, {"", true, ""}));
    EXPECT_THAT(lab.dlperf(with({"status"})).output, HasSubstr("excluded from the medians\n"));
}

TEST_F(Look, ARunThatHasNotBegunHasNoLog) {
    const pid_t runner = lab.start(
        lab.runArguments(lab.plan({{"behaviour", "endless"}, {"seconds", "0.05"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    EXPECT_THAT(lab.dlperf(with({"show", "0002"})).output, HasSubstr("queued"));
    EXPECT_THAT(lab.dlperf(with({"logs", "0002"})).errors, HasSubstr("The run has not begun."));
    ::kill(runner, SIGINT);
    (void)lab.wait(runner);
}

TEST_F(Look, ALogIsFollowedUntilItsRunEnds) {
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.1"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const Ended followed = lab.dlperf(with({"logs", "--follow"}));
    EXPECT_EQ(followed.exitCode, 0) << followed.errors;
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    EXPECT_EQ(followed.output, lab.log(lab.runs().front()));
}

TEST_F(Look, TheNextAttemptIsFollowedToo) {
    std::ofstream(lab.home / "held") << '\n';
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"behaviour", "port-taken"}, {"text", "1"}})));
    ASSERT_TRUE(lab.waitForLog(0, 1));
    const pid_t follower = lab.start(with({"logs", "--follow"}));
    EXPECT_TRUE(eventually([&] { return !lab.printedBy(follower).empty(); }));
    std::filesystem::remove(lab.home / "held");
    const Ended followed = lab.wait(follower);
    EXPECT_EQ(followed.exitCode, 0) << followed.errors;
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    const RunState run = lab.runs().front();
    EXPECT_EQ(followed.output, slurp(run.path.string() + ".attempt1/node0.log") + lab.log(run));
}

TEST_F(Look, ACampaignIsWatchedUntilItEnds) {
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"seconds", "0.2"}}, {{"repetitions", 2}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const Ended watched = lab.dlperf(with({"status", "--watch"}));
    EXPECT_EQ(watched.exitCode, 0) << watched.errors;
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    EXPECT_THAT(watched.output,
                testing::ContainsRegex("repetition 1  running  iteration [0-9]+ of 20, 0:0[0-9] left"));
    EXPECT_THAT(watched.output,
                AllOf(HasSubstr("repetition 2  ok  "), HasSubstr("finished, 2 ok, 2 of 2 runs ended")));
    EXPECT_THAT(lab.dlperf(with({"status", "--watch", "--json"})).exitCode, 2);
}

// A terminal that wraps would keep all rows but the last of what is redrawn.
TEST_F(Look, WhatIsRedrawnOnATerminalStaysInItsRows) {
    const std::string ran = screenOf(lab.runArguments(lab.plan({{"seconds", "0.05"}})));
    EXPECT_THAT(ran, HasSubstr("\r\x1b[K\x1b[?7l[1/1] "));
    EXPECT_THAT(screenOf(with({"status", "--watch"})),
                ContainsRegex("^\x1b\\[\\?7l[^\n]* finished, 1 ok[^\n]*\x1b\\[\\?7h\r\n"
                              "\x1b\\[\\?7l[^\n]* repetition 1  ok [^\n]*\x1b\\[\\?7h\r\n$"));
}

// A log that stays quiet writes nothing that could fail.
TEST_F(Look, FollowingEndsWhereNobodyReadsOn) {
    const pid_t runner = lab.start(lab.runArguments(lab.plan({{"behaviour", "silent"}})));
    ASSERT_TRUE(lab.waitForLog(0, 1));
    for (const auto& words : {std::vector<std::string>{"logs", "--follow"}, {"status", "--watch"}}) {
        const std::string command = "timeout 60 " + commandOf(with(words));
        for (const char* reader : {"| head -1 >/dev/null", ">/dev/full"}) {
            const std::string script =
                fmt::format("{{ {{ {} 2>&3; echo code $? >&3; }} {}; }} 3>&1", command, reader);
            EXPECT_THAT(saidBy(script), AllOf(HasSubstr("cannot be written to"), HasSubstr("code 1\n")));
        }
    }
    ::kill(runner, SIGINT);
    (void)lab.wait(runner);
}

TEST_F(Look, FollowingEndsOnceTheRunnerIsGone) {
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}, {"seconds", "0.05"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    ::kill(runner, SIGKILL);
    (void)lab.wait(runner);
    const Ended followed = lab.dlperf(with({"logs", "--follow"}));
    EXPECT_EQ(followed.exitCode, 1);
    EXPECT_FALSE(followed.output.empty());
    EXPECT_THAT(followed.errors,
                AllOf(HasSubstr("its runner is gone"), HasSubstr("`dlperf resume` goes on")));
    EXPECT_EQ(lab.dlperf(with({"cancel"})).exitCode, 0);
}

TEST_F(Look, FollowingEndsAtCtrlC) {
    const pid_t runner =
        lab.start(lab.runArguments(lab.plan({{"behaviour", "endless"}, {"seconds", "0.05"}})));
    ASSERT_TRUE(lab.waitForLog(0));
    const pid_t follower = lab.start(with({"logs", "--follow"}));
    ASSERT_TRUE(eventually([&] { return !lab.printedBy(follower).empty(); }));
    ::kill(follower, SIGINT);
    EXPECT_EQ(lab.wait(follower).exitCode, 0);
    EXPECT_FALSE(lab.runs().empty());
    ::kill(runner, SIGINT);
    (void)lab.wait(runner);
}

}  // namespace
}  // namespace dlperf::run
