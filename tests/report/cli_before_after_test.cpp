// SPDX-License-Identifier: Apache-2.0
// `dlperf compare BEFORE AFTER` as a user types it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/report/fixture.h"
#include "tests/store/fixture.h"

namespace dlperf::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* night = "20261121-081530-0000001";
constexpr const char* morning = "20261122-081530-0000002";
const std::vector<double> quiet{1000, 1001, 1002, 1003, 1004, 1005, 1006};
const std::vector<double> fallen{950, 951, 952, 953, 954, 955, 956};  // by 5 %

class CliBeforeAfter : public testing::Test {
protected:
    // Exit code; what the program said is in printed() and messages().
    int compare(const std::vector<std::string>& words, const std::string& language = "C") const {
        std::string command =
            "LC_ALL=" + language + " " + shellQuote(DLPERF_BINARY_DIR "/bin/dlperf") + " compare";
        for (const std::string& word : words) {
            command += " " + shellQuote(word);
        }
        command += " >" + shellQuote(file("printed")) + " 2>" + shellQuote(file("messages"));
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    std::string printed() const { return test::orThrow(readFile(file("printed"))); }
    std::string messages() const { return test::orThrow(readFile(file("messages"))); }

    store::Workspace workspace(const std::string& name = "w") const {
        return test::orThrow(store::Workspace::open(file(name)));
    }
    // Runs of one case, numbered on behind those that are there.
    static void put(const store::Workspace& workspace, const std::string& campaign, Topology topology,
                    const std::vector<double>& figures, const std::string& nccl = "2.18") {
        for (const double figure : figures) {
            store::RunRecord record = store::test::someRecord(topology, 1, figure);
            RunResult& run = record.result;
            run.repetition = workspace.freeRepetitions(run.benchmarkCase, 1).front();
            run.campaign = campaign;
            run.id = campaign + "/" + toString(topology) + "-" + std::to_string(run.repetition);
            run.versions = {{"nccl", nccl}};
            record.facts = {{"nodes", {{{"name", "n1"}, {"facts", {"cpu=EPYC", "env=NCCL_ALGO=" + nccl}}}}}};
            store::test::putRun(workspace, record);
        }
    }
    // Two campaigns of one workspace.
    std::string twoCampaigns(const std::vector<double>& before, const std::vector<double>& after) const {
        const auto both = workspace();
        put(both, night, {1, 8}, before);
        put(both, morning, {1, 8}, after, "2.19");
        return both.root().string();
    }
    void expectPrinted(const std::vector<std::string>& words) const {
        for (const std::string& one : words) {
            EXPECT_NE(printed().find(one), std::string::npos) << one << " in\n" << printed();
        }
    }
    void expectMessage(const std::string& words) const {
        EXPECT_NE(messages().find(words), std::string::npos) << words << " in\n" << messages();
    }

    store::test::Folder folder_;
};

TEST_F(CliBeforeAfter, PrintsWhatChanged) {
    const std::string both = twoCampaigns(quiet, fallen);
    ASSERT_EQ(compare({night, morning, "--workspace", both}), 0) << messages();
    EXPECT_EQ(messages(), "");
    expectPrinted({"before: ", night, "after: ", "ResNet50 v1.5, fp32, batch size 128, median in images/s",
                   "1,003.00", "953.00", "−5.0\u00A0%", "7 / 7", "different, worse, p < 0.001",
                   "\n  nccl: 2.18 -> 2.19\n", "\n  variable NCCL_ALGO: 2.18 -> 2.19\n"});
    ASSERT_EQ(compare({morning, night, "--workspace", both}), 0);
    expectPrinted({"+5.2\u00A0%", "different, better"});
}

TEST_F(CliBeforeAfter, FailsBelowALimit) {
    const std::string both = twoCampaigns(quiet, fallen);
    for (const char* limit : {"2%", "2", "4.98 %", "0"}) {
        EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", limit}), 1) << limit;
        expectPrinted({"different, worse"});
        expectMessage("1n8g: worse by 4.99\u00A0%, ");
    }
    for (const char* limit : {"5%", "100"}) {
        EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", limit}), 0) << limit;
        EXPECT_EQ(messages(), "");
    }
    EXPECT_EQ(compare({morning, night, "--workspace", both, "--fail-below", "0"}), 0);
    for (const char* wrong : {"two", "-1", "101", "0,5", "nan"}) {
        EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", wrong}), 2) << wrong;
        expectMessage("from 0 to 100");
        EXPECT_EQ(printed(), "");
    }
}

TEST_F(CliBeforeAfter, WhatCannotBeJudgedFails) {
    const std::string both = twoCampaigns({1000, 1001, 1002}, {950, 951, 952});
    EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", "2%"}), 1);
    expectMessage("too few runs to say (3 and 3; 4 and 4 at least)");
    EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", "10%"}), 0);
    put(workspace(), night, {1, 1}, quiet);
    EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", "10%"}), 1);
    expectMessage("1n1g: had a figure before, and there is none to compare with it: only before");
    EXPECT_EQ(compare({night, morning, "--workspace", both}), 0);
    EXPECT_EQ(messages(), "");
}

TEST_F(CliBeforeAfter, AFailedRunIsSaidToBeTheReason) {
    const std::string both = twoCampaigns(quiet, {});
    store::RunRecord record = store::test::someRecord({1, 8}, 8, 0);
    record.result.campaign = morning;
    record.result.id = std::string(morning) + "/0001";
    record.result.outcome = Outcome::Oom;
    record.result.throughput.reset();
    store::test::putRun(workspace(), record);
    EXPECT_EQ(compare({night, morning, "--workspace", both, "--fail-below", "2%"}), 1);
    expectPrinted({"7 / 0 of 1", "no figure after: OOM"});
    expectMessage("no figure after: OOM");
    EXPECT_EQ(compare({morning, night, "--workspace", both, "--fail-below", "2%"}), 1);
    expectMessage("no case had a figure before: nothing can be judged");
}

TEST_F(CliBeforeAfter, CampaignsAreNamedAsPeopleDo) {
    const std::string both = twoCampaigns(quiet, fallen);
    put(workspace(), "theirs", {1, 8}, quiet);
    EXPECT_EQ(compare({"20261121", "20261122", "--workspace", both}), 0) << messages();
    EXPECT_EQ(compare({"theirs", "20261122", "--workspace", both}), 0) << messages();
    EXPECT_EQ(compare({"2026", "theirs", "--workspace", both}), 2);
    expectMessage("2026 may be any of 2 campaigns");
    expectMessage(night);
    EXPECT_EQ(compare({"yesterday", "theirs", "--workspace", both}), 2);
    expectMessage("there is no campaign yesterday");
    expectMessage("theirs; ");
    EXPECT_EQ(compare({"theirs", "thei", "--workspace", both}), 2);
    expectMessage("before and after are the same");
}

TEST_F(CliBeforeAfter, ANameThatTheUserGaveIsKnown) {
    const std::string both = twoCampaigns(quiet, fallen);
    fs::create_directories(workspace().campaigns() / night);
    std::ofstream(workspace().campaigns() / night / "campaign.json")
        << Json{{"id", night}, {"plan", "nightly"}, {"runs", Json::array()}}.dump();
    fs::create_directories(workspace().notes());
    std::ofstream(workspace().notes() / (std::string(night) + ".json")) << R"({"note": "old driver"})";
    EXPECT_EQ(compare({"old driver", morning, "--workspace", both}), 0) << messages();
    expectPrinted({"before: old driver (" + std::string(night) + ")\n"});
    fs::remove_all(workspace().notes());
    EXPECT_EQ(compare({"old driver", morning, "--workspace", both}), 2);
    expectMessage(", nightly)");
}

TEST_F(CliBeforeAfter, FoldersOfWorkspacesAreComparedWhole) {
    put(workspace("old"), night, {1, 8}, quiet);
    put(workspace("old"), "theirs", {1, 1}, quiet);
    put(workspace("new"), "20261123-1", {1, 8}, fallen, "2.19");
    put(workspace("new"), "20261123-2", {1, 1}, quiet, "2.19");
    EXPECT_EQ(compare({file("old"), file("new"), "--fail-below", "2%"}), 1);
    expectPrinted({"1n1g", "1n8g", "nccl: 2.18 -> 2.19"});
    expectMessage(
        "1n8g: worse by 4.99\u00A0%, 2\u00A0% at most is allowed; different (p < 0.001, 7 and 7 runs)");
    put(workspace("new"), "20261123-3", {1, 1}, quiet);
    EXPECT_EQ(compare({file("old"), file("new")}), 2);
    expectMessage("is in several campaigns: 20261123-2 and 20261123-3");
    expectMessage("--workspace");
    EXPECT_EQ(compare({file("old"), file("nowhere")}), 2);
    expectMessage("Campaigns of one workspace need --workspace");
    EXPECT_EQ(compare({file("old"), file("old") + "/."}), 2);
    expectMessage("before and after are the same");
}

TEST_F(CliBeforeAfter, WritesJson) {
    const std::string both = twoCampaigns(quiet, fallen);
    ASSERT_EQ(compare({night, morning, "--workspace", both, "--fail-below", "2", "--json", "-"}), 1);
    const Json json = test::orThrow(parseJson(printed(), "printed"));
    EXPECT_EQ(json.at("passed"), false);
    EXPECT_EQ(json.at("after").at("id"), morning);
    EXPECT_EQ(json.at("cases").at(0).at("regression"), "worse");
    EXPECT_EQ(json.at("environment").at(0),
              (Json{{"what", "nccl"}, {"before", "2.18"}, {"after", "2.19"}, {"cases", 1}}));
    ASSERT_EQ(compare({night, morning, "--workspace", both, "--json", file("c.json")}), 0);
    expectPrinted({"1,003.00"});
    const Json written = test::orThrow(readJsonFile(file("c.json")));
    EXPECT_TRUE(written.at("passed").is_null());
    EXPECT_EQ(written.at("cases").at(0).at("before"), json.at("cases").at(0).at("before"));
}

TEST_F(CliBeforeAfter, WhatNeedsTwoIsNotTakenOfOne) {
    const std::string both = twoCampaigns(quiet, fallen);
    EXPECT_EQ(compare({"--workspace", both}), 0) << messages();
    expectPrinted({"Speedup"});
    for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                  {night},
                                                  {night, ""},
                                                  {"", night},
                                                  {"--fail-below", "2%"},
                                                  {"--json", "-"}}) {
        EXPECT_EQ(compare(words), 2);
        auto with = words;
        with.insert(with.end(), {"--workspace", both});
        EXPECT_EQ(compare(with), words.empty() ? 0 : 2);
    }
}

TEST_F(CliBeforeAfter, SpeaksChinese) {
    const std::string both = twoCampaigns(quiet, fallen);
    ASSERT_EQ(compare({night, morning, "--workspace", both, "--fail-below", "2%"}, "zh_CN.UTF-8"), 1);
    expectPrinted({"之前：", "有差异，变差，p < 0.001", "变量 NCCL_ALGO"});
    expectMessage("变差 4.99\u00A0%，最多允许 2\u00A0%");
    EXPECT_EQ(compare({"--help"}, "zh_CN.UTF-8"), 0);
    expectPrinted({"dlperf compare [选项]"});
}

}  // namespace
}  // namespace dlperf::report
