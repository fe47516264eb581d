// SPDX-License-Identifier: Apache-2.0
// Runs of real processes from plan to run.json: what every outcome leaves behind.
#include <gmock/gmock.h>

#include "core/run/requests.h"
#include "core/store/run_record.h"
#include "tests/run/lab.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// One run of the toy with this behaviour; its status at the end.
RunState onlyRun(Lab& lab, const std::map<std::string, std::string>& options, int expectedCode,
                 const Json& changes = {}) {
    const Ended ended = lab.dlperf(lab.runArguments(lab.plan(options, changes)));
    EXPECT_EQ(ended.exitCode, expectedCode) << ended.errors;
    const auto runs = lab.runs();
    EXPECT_EQ(runs.size(), 1U);
    return runs.empty() ? RunState{} : runs.front();
}

TEST(Life, AnOkRunKeepsAllFactsAndGetsDlperfsName) {
    Lab lab;
    const RunState run = onlyRun(lab, {}, 0);
    EXPECT_EQ(run.outcome, Outcome::Ok);
    EXPECT_EQ(run.throughput, 16.0);
    const fs::path folder = lab.workspace.logs() / "toy/b8_fp32/1n1g/r50_b8_fp32_1";
    EXPECT_EQ(run.path, folder);
    EXPECT_EQ(slurp(folder.string() + ".log"), slurp(folder / "node0.log"));
    EXPECT_EQ(iterationsOf(slurp(folder / "node0.log")), oneTo(20));
    for (const char* name : {"run.json", "journal.jsonl", "launch.sh", "node0.env"}) {
        EXPECT_TRUE(fs::exists(folder / name)) << name;
    }
    const auto record = store::readRunRecord(folder);
    ASSERT_TRUE(record) << describe(record.error());
    EXPECT_EQ(record->result.outcome, Outcome::Ok);
    EXPECT_EQ(record->result.throughput, 16.0);
    EXPECT_TRUE(record->result.defaults.contains("text"));  // an option that changes the figure
    const Json& node = record->facts["nodes"][0];
    EXPECT_EQ(node["exit_code"], 0);
    EXPECT_EQ(node["sha256"], node["remote_sha256"]);
    EXPECT_EQ(node["log_bytes"], node["remote_log_bytes"]);
    EXPECT_THAT(node["facts"].dump(), AllOf(HasSubstr("system=Linux"), HasSubstr("machine=")));
}

TEST(Life, RepetitionsAreInnermostAndANewCampaignTakesTheNextFreeNumbers) {
    Lab lab;
    const auto plan = lab.plan({{"seconds", "0"}}, {{"repetitions", 2}, {"topologies", {"1n1g", "1n2g"}}});
    const Ended first = lab.dlperf(lab.runArguments(plan));
    EXPECT_EQ(first.exitCode, 0) << first.errors;
    EXPECT_THAT(first.output, HasSubstr("1n2g         2   32.00    32.00    2.00×     100.0\u00A0%\n"));
    EXPECT_EQ(lab.dlperf(lab.runArguments(plan)).exitCode, 0);
    std::vector<std::string> order;
    for (const Campaign& campaign : lab.status()) {
        for (const RunState& run : campaign.runs) {
            order.push_back(toString(run.benchmarkCase.topology) + " " + std::to_string(run.repetition));
        }
    }
    EXPECT_THAT(order, testing::ElementsAre("1n1g 1", "1n1g 2", "1n2g 1", "1n2g 2", "1n1g 3", "1n1g 4",
                                            "1n2g 3", "1n2g 4"));
}

TEST(Life, ARunThatCrashesSaysHowAndGivesItsNumberBack) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "crash"}}, 1);
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_THAT(run.reason, HasSubstr("exit code 3"));
    EXPECT_THAT(run.reason, HasSubstr("cannot find the data"));
    EXPECT_EQ(run.path.filename(), "r50_b8_fp32_1.attempt1");
    EXPECT_EQ(iterationsOf(lab.log(run)), oneTo(5));
    EXPECT_FALSE(fs::exists(lab.workspace.logs() / "toy/b8_fp32/1n1g/r50_b8_fp32_1.log"));
    const RunState again = onlyRun(lab, {}, 0);
    EXPECT_EQ(again.repetition, 1);
    const RunState third = onlyRun(lab, {{"behaviour", "crash"}}, 1);
    EXPECT_EQ(third.path.filename(), "r50_b8_fp32_2.attempt1");
}

TEST(Life, MemoryThatRunsOutIsAnOutcomeOfItsOwn) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "oom"}}, 1);
    EXPECT_EQ(run.outcome, Outcome::Oom);
}

TEST(Life, ALogThatEndsBeforeTheWindowIsShort) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"lines", "12"}}, 1);
    EXPECT_EQ(run.outcome, Outcome::Short);
    EXPECT_THAT(run.reason, HasSubstr("iteration 12"));
}

TEST(Life, ATrainerWithoutAnEndIsStoppedOnceItIsMeasured) {
    Lab lab;
    const RunState run = onlyRun(lab, {}, 0, {{"recipes", {"toy-measured"}}});
    EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
    EXPECT_EQ(run.throughput, 16.0);
    EXPECT_GE(iterationsOf(lab.log(run)).size(), 20U);
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Life, ATrainerThatPrintsNothingEndsWithItsTime) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "silent"}}, 1, {{"timeout_s", 1}});
    EXPECT_EQ(run.outcome, Outcome::Failed);
    EXPECT_THAT(run.reason, HasSubstr("1 s"));
    EXPECT_TRUE(lab.trainers().empty());
}

TEST(Life, ALogWithoutItsLastNewlineIsKeptToTheByte) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "no-newline"}}, 0);
    EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
    EXPECT_TRUE(lab.log(run).ends_with("time 0.500000 s"));
}

TEST(Life, ABinaryLogIsKeptToTheByte) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "binary"}}, 0);
    EXPECT_EQ(run.outcome, Outcome::Ok) << run.reason;
    EXPECT_GT(lab.log(run).size(), 300'000U);
}

TEST(Life, HostileOptionTextsReachTheScriptAsTheyAre) {
    const std::string text =
        "a 'b' \"c\" $(touch /tmp/never) `id` \\ ; | & \n../../x\ty \xE4\xB8\xAD ~/z -n %s";
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "text"}, {"text", text}}, 0);
    EXPECT_EQ(run.benchmarkCase.configuration.variant.at("text"), text);
    const auto folder = lab.home / "dlperf/runs" / run.id / "this/trainer";
    EXPECT_EQ(slurp(folder / "text"), text);
    EXPECT_EQ(run.path.lexically_normal(), run.path);
    EXPECT_TRUE(run.path.string().starts_with(lab.workspace.logs().string() + "/toy+text="));
}

TEST(Life, ALeadingTildeInAnOptionBecomesTheHome) {
    Lab lab;
    const RunState run = onlyRun(lab, {{"behaviour", "text"}, {"text", "~/data"}}, 0);
    EXPECT_EQ(slurp(lab.home / "dlperf/runs" / run.id / "this/trainer/text"), lab.home.string() + "/data");
}

TEST(Life, WrongUsageIsToldFromFailedWork) {
    Lab lab;
    EXPECT_EQ(
        lab.dlperf({"run", "/nowhere/plan.json", "--workspace", lab.workspace.root().string()}).exitCode, 2);
    EXPECT_EQ(lab.dlperf({"run"}).exitCode, 2);
    const Ended unknown = lab.dlperf(lab.runArguments(lab.plan({}, {{"recipes", {"../toy"}}})));
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("no name"));
    const Ended option = lab.dlperf(lab.runArguments(lab.plan({{"colour", "red"}})));
    EXPECT_EQ(option.exitCode, 2);
    EXPECT_THAT(option.errors, HasSubstr("colour"));
    EXPECT_EQ(lab.dlperf(lab.runArguments(lab.plan({}), {"--lease", "nan"})).exitCode, 2);
    const Ended recipes = lab.dlperf({"plan", lab.plan({}).string(), "--recipes", "/nowhere/recipes"});
    EXPECT_EQ(recipes.exitCode, 2);
    EXPECT_THAT(recipes.errors, HasSubstr("/nowhere/recipes: there is no such folder of recipes"));
    EXPECT_TRUE(lab.status().empty());
}

TEST(Life, ANewCampaignLeavesWhatWasAskedOfRunsOfOthers) {
    Lab lab;
    ASSERT_TRUE(writeRequest(lab.workspace, Request::Pause));  // of a runner that is gone
    ASSERT_TRUE(writeRequest(lab.workspace, Request::CancelRun, "20261121-081530-3fa2/0002"));
    const pid_t runner = lab.start(lab.runArguments(lab.plan({})));
    ASSERT_TRUE(lab.waitForLog(0));
    ASSERT_TRUE(writeRequest(lab.workspace, Request::CancelRun, "20261121-081530-3fa2/0003"));
    ASSERT_TRUE(writeRequest(lab.workspace, Request::KeepRun, "20261121-081530-3fa2/0004"));
    EXPECT_EQ(lab.wait(runner).exitCode, 0);
    std::map<std::string, Request> waiting;
    for (const TakenRequest& asked : takeRequests(lab.workspace).requests) {
        waiting[asked.runId] = asked.request;
    }
    EXPECT_EQ(waiting, (std::map<std::string, Request>{{"20261121-081530-3fa2/0002", Request::CancelRun},
                                                       {"20261121-081530-3fa2/0003", Request::CancelRun},
                                                       {"20261121-081530-3fa2/0004", Request::KeepRun}}));
}

TEST(Life, AMistypedWorkspaceIsNeitherMadeNorASuccess) {
    Lab lab;
    const fs::path typed = lab.home / "mistyped";
    for (const char* command : {"status", "cancel", "pause", "resume"}) {
        const Ended ended = lab.dlperf({command, "--workspace", typed.string()});
        EXPECT_EQ(ended.exitCode, 2) << command;
        EXPECT_THAT(ended.errors, HasSubstr("mistyped: there is no such workspace")) << command;
    }
    EXPECT_FALSE(fs::exists(typed));
}

TEST(Life, ATildeIsTheHomeForEveryCommand) {
    Lab lab;
    fs::copy_file(lab.plan({}, {{"train", 5}}), lab.home / "plan.json");
    fs::copy(lab.runArguments({}).at(3), lab.home / "recipes", fs::copy_options::recursive);
    const Ended ran =
        lab.dlperf({"run", "~/plan.json", "--recipes", "~/recipes", "--workspace", "~/w", "--grace", "0.5"});
    EXPECT_EQ(ran.exitCode, 0) << ran.errors;
    const Ended status = lab.dlperf({"status", "--workspace", "~/w"});
    EXPECT_EQ(status.exitCode, 0) << status.errors;
    EXPECT_THAT(status.output, HasSubstr("finished"));
    EXPECT_EQ(lab.dlperf({"cancel", "--workspace", "~/w"}).exitCode, 0);
}

TEST(Life, ThePlanShowsTheJobAndTheContainer) {
    Lab lab;
    const auto arguments = lab.runArguments(lab.plan());
    const auto planned = [&](const Json& cluster, const std::vector<std::string>& more) {
        const auto file = lab.root / "asked.json";
        std::ofstream(file) << cluster.dump();
        std::vector<std::string> words{"plan", arguments[1], "--recipes", arguments[3], "--cluster", file};
        words.insert(words.end(), more.begin(), more.end());
        return lab.dlperf(words);
    };
    const Json slurm{{"name", "gpu"},
                     {"scheduler", "slurm"},
                     {"nodes", 2},
                     {"slurm", {{"partition", "p"}, {"gres", "gpu:8"}, {"time_limit", "0:30"}}},
                     {"node",
                      {{"devices", 1},
                       {"work_dir", "/shared"},
                       {"image", "pytorch:2"},
                       {"runtime", "podman"},
                       {"image_options", {"--shm-size=8g"}}}}};
    const Ended text = planned(slurm, {});
    ASSERT_EQ(text.exitCode, 0) << text.errors;
    EXPECT_THAT(text.output, HasSubstr(": 1 run on gpu\n"));
    EXPECT_THAT(text.output,
                HasSubstr("#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n#SBATCH --partition=p\n"
                          "#SBATCH --gres=gpu:8\n#SBATCH --time=0:30\n#SBATCH --exclusive\n"));
    EXPECT_THAT(text.output, HasSubstr("in a container of pytorch:2, by podman --shm-size=8g\n"));
    EXPECT_THAT(text.errors, HasSubstr("which is less than the timeout_s"));
    const Json json = parseJson(planned(slurm, {"--json"}).output, "plan --json").value();
    EXPECT_EQ(json["runs"][0]["slurm"]["options"][2], "--partition=p");
    EXPECT_EQ(json["runs"][0]["nodes"][0]["container"]["image"], "pytorch:2");
    const Json plain{
        {"name", "lab"},
        {"nodes",
         {{{"name", "n"}, {"local", true}, {"devices", 1}, {"container", {"docker", "exec", "pt"}}}}}};
    EXPECT_THAT(planned(plain, {}).output, HasSubstr("in a container, by docker exec pt\n"));
}

TEST(Life, ThePlanShowsWhatTheRunGets) {
    Lab lab;
    const auto plan = lab.plan({{"text", "it's\nme"}});
    auto arguments = lab.runArguments(plan);
    const Ended shown = lab.dlperf({"plan", plan.string(), "--recipes", arguments[3]});
    EXPECT_EQ(shown.exitCode, 0) << shown.errors;
    EXPECT_THAT(shown.output, HasSubstr("export DLPERF_OPT_TEXT='it'\\''s\nme'\n"));
    EXPECT_THAT(shown.output, HasSubstr(slurp(arguments[3] + "/toy/launch.sh")));
    const Ended json = lab.dlperf({"plan", plan.string(), "--recipes", arguments[3], "--json"});
    const auto parsed = parseJson(json.output, "plan --json");
    ASSERT_TRUE(parsed) << describe(parsed.error());
    EXPECT_EQ((*parsed)["runs"][0]["nodes"][0]["environment"]["DLPERF_OPT_TEXT"], "it's\nme");
}

}  // namespace
}  // namespace dlperf::run
