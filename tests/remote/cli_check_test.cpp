// SPDX-License-Identifier: Apache-2.0
// `dlperf check` and what `dlperf run` checks before it begins, against this machine and a real sshd.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <csignal>

#include <algorithm>

#include "core/base/file.h"
#include "tests/run/lab.h"
#include "tests/support/sshd.h"

namespace dlperf {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string write(const run::Lab& lab, const std::string& name, const Json& json) {
    const auto file = lab.root / name;
    std::filesystem::create_directories(file.parent_path());
    EXPECT_TRUE(writeFileAtomically(file, json.dump()));
    return file.string();
}

Json hereNode(const std::string& name) {
    return {{"name", name}, {"local", true}, {"address", "127.0.0.1"}};
}

Json boxNode(const std::string& name) {
    return {{"name", name}, {"host", "box"}};
}

std::string clusterOf(const run::Lab& lab, const std::vector<Json>& nodes) {
    return write(lab, "cluster.json", {{"name", "lab"}, {"nodes", nodes}});
}

// The toy trainer with other needs.
std::string recipesThatNeed(const run::Lab& lab, const Json& needs) {
    const auto toy = std::filesystem::path(DLPERF_SOURCE_DIR) / "tests/run/recipes/toy";
    Json recipe = readJsonFile(toy / "recipe.json").value();
    recipe["needs"] = needs;
    write(lab, "recipes/toy/recipe.json", recipe);
    std::filesystem::copy_file(toy / "launch.sh", lab.root / "recipes/toy/launch.sh");
    return (lab.root / "recipes").string();
}

Json checked(run::Lab& lab, const std::vector<std::string>& arguments, int exitCode) {
    std::vector<std::string> words{"check"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"--json", "-"});
    const run::Ended ended = lab.dlperf(words);
    EXPECT_EQ(ended.exitCode, exitCode) << ended.errors << ended.output;
    const auto json = parseJson(ended.output, "the output");
    EXPECT_TRUE(json) << ended.output;
    return json.value_or(Json::object());
}

Json find(const Json& checks, const std::string& title) {
    const auto found = std::ranges::find_if(checks, [&](const Json& one) { return one["title"] == title; });
    EXPECT_NE(found, checks.end()) << title << " in " << checks;
    return found == checks.end() ? Json::object() : *found;
}

TEST(CliCheck, NodesOverSshAreAskedAndReachEachOther) {
    const test::Sshd sshd;
    run::Lab lab;
    const Json found = checked(lab, {clusterOf(lab, {boxNode("a"), boxNode("b"), hereNode("c")})}, 1);
    for (const Json& node : found.at("nodes")) {
        EXPECT_EQ(node.at("reached"), true);
        EXPECT_EQ(find(node.at("checks"), "Reachable").at("verdict"), "passed");
        EXPECT_GT(node.at("reached_after_s"), 0);
    }
    EXPECT_EQ(find(found.at("between"), "Machines").at("summary"), "a, b, c are one machine");
    EXPECT_EQ(found.at("failed"), 1);
    EXPECT_EQ(find(found.at("between"), "Clocks").at("verdict"), "passed");
    EXPECT_EQ(find(found.at("between"), "Master port").at("verdict"), "passed");
    const Json connections =
        find(found.at("between"), "Connections");  // "box" is no address: the host behind it is
    EXPECT_EQ(connections.at("verdict"), "passed") << connections;
    EXPECT_THAT(connections.at("summary").get<std::string>(), HasSubstr("5 made"));
}

TEST(CliCheck, ANodeThatIsNotReachedSaysWhyAndTheOthersAnswer) {
    const test::Sshd sshd;
    run::Lab lab;
    Json closed = boxNode("closed");
    closed["port"] = 1;
    const std::string cluster = clusterOf(lab, {hereNode("here"), closed});
    const auto ended = lab.dlperf({"check", cluster});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.output, AllOf(HasSubstr("FAIL  Reachable: not reached"),
                                    HasSubstr("here  this machine"), HasSubstr("1 of 2 nodes reached")));
    const Json found = checked(lab, {cluster}, 1);
    EXPECT_EQ(found.at("nodes")[0].at("reached"), true);
    EXPECT_EQ(found.at("nodes")[1].at("reached"), false);
    EXPECT_EQ(found.at("failed"), 1);
}

TEST(CliCheck, ReachOnlyAsksTheNodesNothingElse) {
    const test::Sshd sshd;
    run::Lab lab;
    Json box = boxNode("box");
    box["setup"] = fmt::format("touch {}/asked", lab.root.string());
    Json closed = boxNode("closed");
    closed["port"] = 1;
    const std::string cluster = clusterOf(lab, {box, closed});
    const Json found = checked(lab, {cluster, "--reachable"}, 1);
    EXPECT_EQ(found.at("nodes")[0].at("checks").size(), 1U);
    EXPECT_EQ(find(found.at("nodes")[0].at("checks"), "Reachable").at("verdict"), "passed");
    EXPECT_GT(found.at("nodes")[0].at("reached_after_s"), 0);
    EXPECT_EQ(find(found.at("nodes")[1].at("checks"), "Reachable").at("verdict"), "failed");
    EXPECT_TRUE(found.at("nodes")[1].at("reached_after_s").is_null());
    EXPECT_TRUE(found.at("between").empty());
    EXPECT_FALSE(std::filesystem::exists(lab.root / "asked"));
    EXPECT_THAT(lab.dlperf({"check", cluster, "--reachable"}).output, HasSubstr("1 of 2 nodes reached"));
}

TEST(CliCheck, ManyNamesOfOneHostAreReachedThoughItLetsFewLogInAtATime) {
    const test::Sshd sshd("MaxStartups 3");
    run::Lab lab;
    std::vector<Json> nodes;
    for (int i = 0; i < 6; ++i) {
        nodes.push_back(boxNode(fmt::format("n{}", i)));
    }
    const Json found = checked(lab, {clusterOf(lab, nodes), "--reachable"}, 0);
    EXPECT_EQ(found.at("passed"), 6);
}

TEST(CliCheck, ManyNodesAreSaidOnceWhereTheyAreAlike) {
    run::Lab lab;
    std::vector<Json> nodes;
    for (int i = 1; i <= 12; ++i) {
        Json node = hereNode(fmt::format("node{}", i));
        node["work_dir"] = i == 7 ? "/proc/none" : (lab.root / "nodes").string();
        nodes.push_back(std::move(node));
    }
    const run::Ended ended = lab.dlperf({"check", clusterOf(lab, nodes)});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.output, HasSubstr("node[1-12]\n  ok    all: Reachable: this machine\n"));
    EXPECT_THAT(ended.output, HasSubstr("  ok    node[1-6,8-12]: Work folder: "));
    EXPECT_THAT(ended.output, HasSubstr("  FAIL  node7: Disk space: "));
    EXPECT_THAT(ended.output, HasSubstr("Machines: node[1-12] are one machine"));
}

TEST(CliCheck, AnAddressThatLeadsNowhereFails) {
    run::Lab lab;
    Json nowhere = hereNode("b");
    nowhere["address"] = "no-such-host.invalid";
    const Json found = checked(lab, {clusterOf(lab, {hereNode("a"), nowhere})}, 1);
    EXPECT_EQ(find(found.at("between"), "Connections").at("verdict"), "failed");
    EXPECT_THAT(find(found.at("between"), "Connections").at("summary").get<std::string>(),
                HasSubstr("a to b"));
}

TEST(CliCheck, APlanSaysWhichNodesAndWhatTheyNeed) {
    run::Lab lab;
    const std::string cluster = clusterOf(lab, {hereNode("a"), hereNode("b"), hereNode("c")});
    const std::string recipes = recipesThatNeed(lab, {{"commands", {"sh", "no-such-launcher"}}});
    const std::string plan =
        lab.plan({}, {{"topologies", {"1n1g", "2n1g"}}, {"nodes", {"c", "b", "a"}}}).string();
    const Json found = checked(lab, {cluster, "--plan", plan, "--recipes", recipes}, 1);
    ASSERT_EQ(found.at("nodes").size(), 2U);
    EXPECT_EQ(found.at("nodes")[0].at("name"), "c");
    EXPECT_EQ(find(found.at("nodes")[0].at("checks"), "Commands").at("summary"),
              "no-such-launcher is missing");
}

TEST(CliCheck, SshBetweenNodesIsTriedWhereARecipeNeedsIt) {
    const test::Sshd sshd;
    run::Lab lab;
    Json box = boxNode("b");
    box["port"] = sshd.port();
    const std::string cluster = clusterOf(lab, {hereNode("a"), box});
    const std::string recipes = recipesThatNeed(lab, {{"ssh_between_nodes", true}});
    const std::string plan = lab.plan({}, {{"topologies", {"2n1g"}}}).string();
    const std::vector<std::string> arguments{cluster, "--plan", plan, "--recipes", recipes};
    const Json denied = find(checked(lab, arguments, 1).at("between"), "SSH between nodes");
    EXPECT_THAT(denied.at("summary").get<std::string>(), HasSubstr("ermission denied"));
    const auto other = lab.root / "other/ssh";  // that the node's setup brings
    std::filesystem::create_directories(other.parent_path());
    ASSERT_TRUE(writeFileAtomically(other, "#!/bin/sh\nexit 0\n", 0755));
    Json here = hereNode("a");
    here["setup"] = "echo welcome; export PATH=" + other.parent_path().string() + ":$PATH";
    const Json brought =
        checked(lab, {clusterOf(lab, {here, box}), "--plan", plan, "--recipes", recipes}, 1).at("between");
    EXPECT_EQ(find(brought, "SSH between nodes").at("verdict"), "passed");
    (void)clusterOf(lab, {hereNode("a"), box});
    sshd.writeConfig(
        fmt::format("Host 127.0.0.1\n  IdentityFile {}/id_ed25519\n", sshd.folder().path().string()));
    const Json let = checked(lab, arguments, 1);  // both are this machine
    EXPECT_EQ(find(let.at("between"), "SSH between nodes").at("verdict"), "passed");
    EXPECT_EQ(let.at("failed"), 1);
    // As on clusters whose nodes are installed anew: a launcher gets through, by the node's own settings of
    // SSH.
    sshd.writeConfig(
        fmt::format("Host 127.0.0.1\n  IdentityFile {0}/id_ed25519\n  UserKnownHostsFile {0}/none_yet\n  "
                    "StrictHostKeyChecking no\n",
                    sshd.folder().path().string()));
    EXPECT_EQ(find(checked(lab, arguments, 1).at("between"), "SSH between nodes").at("verdict"), "passed");
}

TEST(CliCheck, AnInterruptEndsIt) {
    run::Lab lab;
    Json slow = hereNode("slow");
    slow["setup"] = fmt::format("touch {0}/begun; sleep 60", lab.root.string());
    const pid_t process = lab.start({"check", clusterOf(lab, {slow})});
    ASSERT_TRUE(run::eventually([&] { return std::filesystem::exists(lab.root / "begun"); }));
    ::kill(process, SIGINT);
    const auto ended = lab.wait(process);
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("was interrupted"));
}

TEST(RunPreflight, AnInterruptEndsItBeforeAnythingBegins) {
    run::Lab lab;
    Json slow = hereNode("slow");
    slow["setup"] = fmt::format("touch {0}/begun; sleep 60", lab.root.string());
    const auto plan = lab.plan();
    const pid_t process = lab.start(lab.runArguments(plan, {"--cluster", clusterOf(lab, {slow})}));
    ASSERT_TRUE(run::eventually([&] { return std::filesystem::exists(lab.root / "begun"); }));
    ::kill(process, SIGINT);
    const auto ended = lab.wait(process);
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("was interrupted"));
    EXPECT_TRUE(lab.runs().empty());
}

TEST(CliCheck, WhatCannotBeReadIsWrongUsage) {
    run::Lab lab;
    EXPECT_EQ(lab.dlperf({"check", "/nowhere/cluster.json"}).exitCode, 2);
    EXPECT_EQ(lab.dlperf({"check"}).exitCode, 2);
    EXPECT_EQ(lab.dlperf({"check", clusterOf(lab, {hereNode("a")}), "--plan", "/nowhere"}).exitCode, 2);
}

TEST(RunPreflight, AMissingCommandStopsARunBeforeItBegins) {
    run::Lab lab;
    const std::string recipes = recipesThatNeed(lab, {{"commands", {"no-such-launcher"}}});
    const auto plan = lab.plan();
    const auto ended = lab.dlperf(
        {"run", plan.string(), "--recipes", recipes, "--workspace", lab.workspace.root().string()});
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("no-such-launcher is missing"));
    EXPECT_TRUE(lab.status().empty());
}

TEST(RunPreflight, ANodeThatIsNotReachedStopsARunThatUsesIt) {
    const test::Sshd sshd;
    run::Lab lab;
    Json closed = boxNode("closed");
    closed["port"] = 1;
    Json here = hereNode("here");
    here["work_dir"] = (lab.root / "nodes").string();
    const std::string cluster = clusterOf(lab, {here, closed});
    const auto both = lab.plan({}, {{"topologies", {"2n1g"}}});
    const auto stopped = lab.dlperf(lab.runArguments(both, {"--cluster", cluster}));
    EXPECT_EQ(stopped.exitCode, 1);
    EXPECT_THAT(stopped.errors, HasSubstr("closed"));
    EXPECT_TRUE(lab.status().empty());
    const auto first = lab.plan();
    EXPECT_EQ(lab.dlperf(lab.runArguments(first, {"--cluster", cluster})).exitCode, 0);
}

TEST(RunPreflight, WhatThePlanItselfRulesOutIsSaidBeforeNodesAreAsked) {
    run::Lab lab;
    Json node = boxNode("box");
    node["setup"] = fmt::format("touch {}/asked", lab.root.string());
    const std::string cluster = clusterOf(lab, {node});
    const auto plan = lab.plan({}, {{"topologies", {"2n1g"}}});
    for (const auto& arguments : {lab.runArguments(plan, {"--cluster", cluster}),
                                  std::vector<std::string>{"plan", plan.string(), "--cluster", cluster,
                                                           "--recipes", lab.runArguments(plan)[3]}}) {
        const auto refused = lab.dlperf(arguments);
        EXPECT_EQ(refused.exitCode, 2) << refused.errors;
        EXPECT_THAT(refused.errors, HasSubstr("2n1g needs 2 nodes, there are 1"));
        EXPECT_THAT(refused.errors, testing::Not(HasSubstr("reached")));
    }
}

TEST(RunPreflight, TheRestIsAWarning) {
    run::Lab lab;
    const auto plan = lab.plan();
    const auto cluster = lab.cluster(1, {{"data_dir", "/nowhere/data"}});
    const auto ended = lab.dlperf(lab.runArguments(plan, {"--cluster", cluster.string()}));
    EXPECT_EQ(ended.exitCode, 0) << ended.errors;
    EXPECT_THAT(ended.errors, HasSubstr("warning: a: Data folder: /nowhere/data is not there"));
}

}  // namespace
}  // namespace dlperf
