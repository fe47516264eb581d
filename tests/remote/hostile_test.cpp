// SPDX-License-Identifier: Apache-2.0
// Texts that mean something to a shell, to ssh or to a terminal, in every place a user or a node can put
// them, over the whole way from plan to result with a real sshd: carried as they are, or refused in a
// sentence.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "core/base/text.h"
#include "tests/run/lab.h"
#include "tests/support/sshd.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Hostile : public testing::Test {
protected:
    ~Hostile() override { EXPECT_FALSE(fs::exists(canary)) << "something was executed"; }

    // What would make the canary if any shell on the way read it as words of its own.
    [[nodiscard]] std::string text() const {
        const std::string touch = "touch " + canary.string();
        return "-n --x $(" + touch + ") `" + touch + "` '; " + touch + "; ' \"; " + touch + "; \" | " +
               touch + " & " + touch + "\n" + touch + "\n%s %n \\ ${IFS} ~/x * \xE4\xB8\xAD\t";
    }
    // The same as a folder: of one line.
    [[nodiscard]] std::string path(const std::string& name) const {
        std::string line = text();
        std::replace_if(
            line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
        return (lab.root / name).string() + "/" + line;
    }
    // The node list of the one machine over SSH.
    [[nodiscard]] std::string cluster(const Json& changes = Json::object()) {
        Json node{{"local", false}, {"host", "box"}, {"devices", 1}};
        node.update(changes);
        return lab.cluster(1, node).string();
    }

    test::Sshd sshd;
    Lab lab;
    fs::path canary = lab.root / "canary";
};

std::string variable(const std::string& environment, const std::string& name) {
    for (const std::string_view entry : split(environment, '\0')) {
        if (entry.starts_with(name + "=")) {
            return std::string(entry.substr(name.size() + 1));
        }
    }
    return "not there";
}

TEST_F(Hostile, TextsOfUsersReachTheTrainerAsTheyAre) {
    for (const bool contained : {false, true}) {
        Json node{{"work_dir", path("work")}, {"data_dir", path("data")}, {"env", {{"ODD", text()}}}};
        fs::path work = path("work");
        if (contained) {
            work = path("inside");
            node["container"] = {"env", "IN=" + text()};
            node["container_work_dir"] = work.string();
        }
        const Ended ended = lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "text"}, {"text", text()}}),
                                                        {"--cluster", cluster(node), "--keep-node-files"}));
        ASSERT_EQ(ended.exitCode, 0) << ended.errors;
        const RunState run = lab.runs().at(0);
        EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
        const fs::path there = work / "runs" / run.id / "a";
        EXPECT_EQ(lab.log(run), slurp(there / "log"));
        EXPECT_EQ(slurp(there / "trainer/text"), text());
        const std::string environment = slurp(there / "trainer/env");
        EXPECT_EQ(variable(environment, "ODD"), text());
        EXPECT_EQ(variable(environment, "DLPERF_OPT_TEXT"), text());
        EXPECT_EQ(variable(environment, "DLPERF_DATA_DIR"), path("data"));
        EXPECT_EQ(variable(environment, "IN"), contained ? text() : "not there");
        const Ended checked = lab.dlperf({"check", cluster(node)});
        EXPECT_NE(checked.exitCode, 2) << checked.errors;
        EXPECT_FALSE(fs::exists(canary));
    }
}

TEST_F(Hostile, ALongTextIsCarriedOrRefused) {
    const std::string longText = text() + std::string(100'000, 'x');
    const auto start = [&](const std::string& variable) {
        return lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "text"}, {"text", longText}}),
                                           {"--cluster", cluster({{"env", {{"ODD", variable}}}})}));
    };
    const Ended refused = start(longText);
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.errors,
                AllOf(HasSubstr("node a: a command of "), HasSubstr("Shorten the node's setup")));
    const Ended ended = start("short");
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_EQ(slurp(lab.root / "nodes/runs" / lab.runs().at(0).id / "a/trainer/text"), longText);
}

// Names become folders and arguments: what is none is refused before anything is asked of a node, and the
// sentence says where it stands.
TEST_F(Hostile, NamesThatAreNoneAreRefusedInASentence) {
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
        const Ended ended = lab.dlperf(arguments);
        EXPECT_EQ(ended.exitCode, 2) << words << "\n" << ended.errors;
        EXPECT_THAT(ended.errors, HasSubstr(words));
        EXPECT_THAT(ended.errors, AllOf(Not(HasSubstr("\x1b")), HasSubstr(".json")));
        EXPECT_LT(ended.errors.size(), 4000U);
    };
    const std::string touch = "touch " + canary.string();
    const std::vector<std::string> names{"$(" + touch + ")",
                                         "`" + touch + "`",
                                         "a;" + touch,
                                         "a|b",
                                         "a&b",
                                         "it's",
                                         "a\"b",
                                         "a\nb",
                                         "-rf",
                                         "../a",
                                         "%s%n\x1b[2J",
                                         std::string(5000, ' ')};
    for (const std::string& name : names) {
        refused(lab.runArguments(lab.plan(), {"--cluster", cluster({{"name", name}})}), "\"name\" is");
        refused(lab.runArguments(lab.plan({}, {{"recipes", {name}}})), "which is no name");
        refused(lab.runArguments(lab.plan(), {"--cluster", cluster({{"env", {{name, "x"}}}})}),
                "a name that is no variable");
    }
    refused(lab.runArguments(lab.plan(), {"--cluster", cluster({{"work_dir", "$(" + touch + ")"}})}),
            "must be an absolute path");
    for (const char* field : {"work_dir", "container_work_dir", "data_dir"}) {
        refused(lab.runArguments(lab.plan(), {"--cluster", cluster({{field, "/a\n" + touch}})}),
                "holds a line break");
    }
    const auto plan = lab.plan();
    std::ofstream(plan, std::ios::app) << "\xFF\xFE";
    refused(lab.runArguments(plan), "plan.json");
}

TEST_F(Hostile, HostsAndUsersAreNoOptionsOfSsh) {
    const std::string proxy = "ProxyCommand=touch " + canary.string();
    for (const Json& node : {Json{{"host", "-o" + proxy}}, Json{{"host", "$(touch " + canary.string() + ")"}},
                             Json{{"user", "-o" + proxy}}}) {
        const Ended ended = lab.dlperf(lab.runArguments(lab.plan(), {"--cluster", cluster(node)}));
        EXPECT_NE(ended.exitCode, 0) << node;
        EXPECT_THAT(ended.errors, HasSubstr("node")) << node;
        EXPECT_TRUE(lab.status().empty()) << "refused before anything began";
    }
}

// A recipe that nobody uses may stand there whatever it is called; one that is used is copied, name and all.
TEST_F(Hostile, ARecipeFolderWithAnyNameHarmsNobody) {
    const fs::path recipes = lab.root / "recipes";
    for (const std::string& name :
         {std::string("$(touch canary)"), std::string("-rf"), std::string("\xFF\x1b[2J")}) {
        fs::create_directories(recipes / name);
        std::ofstream(recipes / name / "recipe.json") << "{}";
    }
    const Ended ended = lab.dlperf({"plan", lab.plan({}, {{"recipes", {"toy"}}}).string(), "--recipes",
                                    recipes.string(), "--cluster", cluster()});
    EXPECT_EQ(ended.exitCode, 2);
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("toy"), Not(HasSubstr("\x1b"))));
}

TEST_F(Hostile, WhatALogSaysDoesNotReachTheTerminal) {
    const Ended ended =
        lab.dlperf(lab.runArguments(lab.plan({{"behaviour", "escape"}}), {"--cluster", cluster()}));
    EXPECT_EQ(ended.exitCode, 1);
    const Ended status = lab.dlperf({"status", "--workspace", lab.workspace.root().string()});
    const Ended json = lab.dlperf({"status", "--json", "--workspace", lab.workspace.root().string()});
    for (const std::string& said : {ended.errors, status.output, json.output}) {
        EXPECT_THAT(said,
                    AllOf(HasSubstr("gone <b>wrong</b>"), Not(HasSubstr("\x1b")), Not(HasSubstr("\x07"))));
    }
    for (const std::string& said : {ended.errors, status.output}) {
        EXPECT_THAT(said, Not(HasSubstr("\xC2\x9B"))) << "as good as ESC [";
    }
}

}  // namespace
}  // namespace dlperf::run
