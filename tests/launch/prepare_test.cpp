// SPDX-License-Identifier: Apache-2.0
#include "core/launch/prepare.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/launch/plan_nodes.h"
#include "tests/launch/recipe_folder.h"

namespace dlperf::launch {
namespace {

using testing::HasSubstr;

Plan planOf(const Json& changes = Json::object()) {
    Json json{{"name", "p"}, {"recipes", {"toy"}}, {"topologies", {"1n1g"}}, {"batch_sizes", {8}}};
    json.update(changes);
    return planFromJson(json, "plan.json").value();
}

cluster::Cluster clusterOf(const Json& nodes) {
    return cluster::clusterFromJson({{"name", "lab"}, {"nodes", nodes}}, "cluster.json").value();
}

const Json here = {{{"name", "a"}, {"local", true}, {"devices", 2}}};

Json far() {
    Json nodes = Json::array();
    for (int i = 1; i <= 3; ++i) {
        nodes.push_back({{"name", "n" + std::to_string(i)},
                         {"host", "10.0.0." + std::to_string(i)},
                         {"devices", 8},
                         {"port", 10000 + i},
                         {"interface", "ib0"}});
    }
    return nodes;
}

Result<PreparedPlan> prepareWith(const Plan& plan, const Json& nodes, const RecipeFolder& recipes,
                                 PlanIs age = PlanIs::New) {
    return prepare(plan, clusterOf(nodes), readRecipes({recipes.path()}), Vocabulary{}, {}, age);
}

std::string reasonsOf(const PreparedPlan& prepared) {
    std::string reasons;
    for (const Error& skipped : prepared.skipped) {
        reasons += skipped.what + "\n";
    }
    return reasons;
}

TEST(Prepare, RunsAreTheProductWithRepetitionsInnermost) {
    const RecipeFolder recipes;
    const auto prepared =
        prepareWith(planOf({{"topologies", {"1n1g", "1n2g"}}, {"batch_sizes", {8, 16}}, {"repetitions", 2}}),
                    here, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    std::vector<std::string> order;
    for (const PlannedRun& run : prepared->runs) {
        order.push_back(std::to_string(run.benchmarkCase.configuration.batchSize) +
                        toString(run.benchmarkCase.topology) + std::to_string(run.repetition));
    }
    EXPECT_THAT(order, testing::ElementsAre("81n1g1", "81n1g2", "81n2g1", "81n2g2", "161n1g1", "161n1g2",
                                            "161n2g1", "161n2g2"));
}

TEST(Prepare, OnlyLeavesOutTheOtherCases) {
    const RecipeFolder recipes;
    const Json only = {{{"recipe", "toy"}, {"topology", "1n2g"}, {"batch_size", 16}, {"repetitions", 3}}};
    const auto prepared = prepareWith(
        planOf(
            {{"topologies", {"1n1g", "1n2g"}}, {"batch_sizes", {8, 16}}, {"repetitions", 2}, {"only", only}}),
        here, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    ASSERT_EQ(prepared->runs.size(), 3U);
    EXPECT_EQ(toString(prepared->runs[2].benchmarkCase.topology), "1n2g");
    EXPECT_EQ(prepared->runs[2].benchmarkCase.configuration.batchSize, 16);
    EXPECT_EQ(prepared->runs[2].repetition, 3);
    EXPECT_TRUE(prepared->skipped.empty());
}

TEST(Prepare, EachValueOfASweepIsACaseOfItsOwn) {
    const RecipeFolder recipes;
    const Plan plan = planOf({{"options", {{"toy", {{"threads", {"1", "4"}}}}}},
                              {"env", {{"NCCL_ALGO", {"Ring", "Tree"}}}},
                              {"topologies", {"1n1g", "1n2g"}}});
    const auto prepared = prepareWith(plan, here, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    ASSERT_EQ(prepared->runs.size(), 8U);
    const PlannedRun& last = prepared->runs.back();
    EXPECT_EQ(last.benchmarkCase.configuration.variant, (Variant{{"NCCL_ALGO", "Tree"}, {"threads", "4"}}));
    EXPECT_EQ(last.nodes[0].environment.at("NCCL_ALGO"), "Tree");
    EXPECT_EQ(settle(last.nodes[0], {"", "", "/h", 0, 0}).at("DLPERF_VARIABLES"), "NCCL_ALGO");
    EXPECT_EQ(last.nodes[0].environment.at("DLPERF_OPT_THREADS"), "4");
    EXPECT_EQ(prepared->runs.front().benchmarkCase.configuration.variant, (Variant{{"NCCL_ALGO", "Ring"}}))
        << "an option at its default is not named";
    EXPECT_EQ(last.defaults.at("threads"), "1");  // but known
    EXPECT_FALSE(last.defaults.contains("source_dir")) << "it does not change the figure";
}

TEST(PlanNodes, NeedTheThreadsOfAllProcessesOfTheLargestRun) {
    const RecipeFolder recipes;
    const auto threadsOf = [&](const Json& changes, const Json& nodes) {
        const auto used = planNodes(planOf(changes), clusterOf(nodes), readRecipes({recipes.path()}));
        return used ? used->needs.at(0).threads : -1;
    };
    EXPECT_EQ(threadsOf({{"topologies", {"1n2g"}}}, here), 2) << "the recipe's default";
    EXPECT_EQ(threadsOf({{"topologies", {"1n1g", "1n2g"}}, {"options", {{"toy", {{"threads", {"1", "4"}}}}}}},
                        here),
              8);
    Json nodes = here;
    nodes[0]["env"] = {{"DLPERF_OPT_THREADS", "3"}};
    EXPECT_EQ(threadsOf(Json::object(), nodes), 3) << "the node has the last word";
}

TEST(Prepare, OmpNumThreadsAreThoseOfAProcessWithoutAnOptionOfThem) {
    EXPECT_EQ(computingThreads({{"OMP_NUM_THREADS", "4"}}), 4);
    EXPECT_EQ(computingThreads({{"OMP_NUM_THREADS", "4"}, {"DLPERF_OPT_THREADS", "2"}}), 2);
    EXPECT_EQ(computingThreads({{"OMP_NUM_THREADS", "4,2"}}), 0);
    EXPECT_EQ(computingThreads({}), 0);
}

TEST(Prepare, ThePlansInterfaceStandsOverThatOfTheNodes) {
    const RecipeFolder recipes;
    Json nodes = here;
    nodes[0]["interface"] = "eth0";
    const auto prepared = prepareWith(planOf({{"env", {{"DLPERF_INTERFACE", "eth1"}}}}), nodes, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    EXPECT_EQ(prepared->runs[0].nodes[0].environment.at("DLPERF_INTERFACE"), "eth1");
    EXPECT_EQ(prepared->runs[0].benchmarkCase.configuration.variant, (Variant{{"DLPERF_INTERFACE", "eth1"}}));
}

TEST(Prepare, AVariableThatTheRecipeSetsFromAnOptionIsRefused) {
    const RecipeFolder recipes;
    Json json = readJsonFile(recipes.path() / "toy/recipe.json").value();
    json["options"]["threads"]["variable"] = "OMP_NUM_THREADS";
    recipes.add("toy", json.dump(), "export OMP_NUM_THREADS=$DLPERF_OPT_THREADS\n");
    const auto refused = prepareWith(planOf({{"env", {{"OMP_NUM_THREADS", {"1", "2"}}}}}), here, recipes);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("sets it over that from its option \"threads\""));
    EXPECT_THAT(refused.error().remedy, HasSubstr("Set the option \"threads\" instead"));
    Json nodes = here;
    nodes[0]["env"] = {{"OMP_NUM_THREADS", "7"}};
    const auto prepared = prepareWith(planOf(), nodes, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    EXPECT_TRUE(prepared->runs[0].benchmarkCase.configuration.variant.empty())
        << "the node's does not reach it";
}

// The case would bear a value that the trainer never saw.
TEST(Prepare, AVariableThatIsSetOverThePlansIsRefused) {
    const RecipeFolder recipes;
    Json json = readJsonFile(recipes.path() / "toy/recipe.json").value();
    json["set_by_trainer"] = {"TF_XLA_FLAGS"};
    recipes.add("toy", json.dump(), "export CUDA_VISIBLE_DEVICES=$DLPERF_DEVICE_LIST\n");
    for (const auto& [variable, over, remedy] :
         {std::tuple("TF_XLA_FLAGS", "the trainer of recipe toy sets it over that", "Remove it"),
          std::tuple("CUDA_VISIBLE_DEVICES", "sets it over that from the devices", "\"device_list\"")}) {
        const auto plans = prepareWith(planOf({{"env", {{variable, {"1", "0"}}}}}), here, recipes);
        ASSERT_FALSE(plans) << variable;
        EXPECT_THAT(plans.error().what, HasSubstr(std::string("the plan sets ") + variable));
        EXPECT_THAT(plans.error().what, HasSubstr(over));
        EXPECT_THAT(plans.error().remedy, HasSubstr(remedy));
        Json nodes = here;
        nodes[0]["env"] = {{variable, "1"}};
        const auto nodesOwn = prepareWith(planOf(), nodes, recipes);
        ASSERT_FALSE(nodesOwn) << variable;
        EXPECT_THAT(nodesOwn.error().what, HasSubstr(std::string("node a sets ") + variable));
    }
    const RecipeFolder own;  // its script leaves the variable as it is
    EXPECT_TRUE(prepareWith(planOf({{"env", {{"CUDA_VISIBLE_DEVICES", "1"}}}}), here, own));
}

TEST(Prepare, OnlyTellsVariantsApart) {
    const RecipeFolder recipes;
    Json one{{"recipe", "toy"}, {"topology", "1n1g"}, {"batch_size", 8}};
    Json changes{{"options", {{"toy", {{"threads", {"1", "4", "8"}}}}}}, {"only", {one}}};
    EXPECT_EQ(prepareWith(planOf(changes), here, recipes)->runs.size(), 3U);
    one["variant"] = {{"threads", "4"}};
    changes["only"] = {one};
    const auto prepared = prepareWith(planOf(changes), here, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    ASSERT_EQ(prepared->runs.size(), 1U);
    EXPECT_EQ(prepared->runs[0].benchmarkCase.configuration.variant, (Variant{{"threads", "4"}}));
}

TEST(Prepare, ASweepThatCannotBeToldApartIsRefused) {
    const RecipeFolder recipes;
    const auto refused = [&](const Json& changes, const Json& nodes) {
        const auto prepared = prepareWith(planOf(changes), nodes, recipes);
        return prepared ? std::string() : describe(prepared.error());
    };
    EXPECT_THAT(refused({{"options", {{"toy", {{"source_dir", {"a", "b"}}}}}}}, here),
                HasSubstr("no part of the case"));
    Json nodes = here;
    nodes[0]["env"] = {{"DLPERF_OPT_THREADS", "9"}, {"NCCL_ALGO", "Ring"}};
    EXPECT_THAT(refused({{"options", {{"toy", {{"threads", {"1", "2"}}}}}}}, nodes),
                HasSubstr("node a sets DLPERF_OPT_THREADS"));
    EXPECT_THAT(refused({{"env", {{"NCCL_ALGO", "Tree"}}}}, nodes), HasSubstr("node a sets NCCL_ALGO"));
    EXPECT_THAT(refused({{"env", {{"threads", {"1", "2"}}}}}, nodes), HasSubstr("as an option of recipe"));
}

TEST(Prepare, ANodesTuningIsPartOfTheCase) {
    const RecipeFolder recipes;
    Json nodes = here;
    nodes[0]["env"] = {{"NCCL_ALGO", "Ring"}, {"HTTP_PROXY", "x"}};
    const auto prepared = prepareWith(planOf(), nodes, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    EXPECT_EQ(prepared->runs[0].benchmarkCase.configuration.variant, (Variant{{"NCCL_ALGO", "Ring"}}));
}

TEST(Prepare, AddressesOfASchedulersNodesAreKnownAtTheStart) {
    const RecipeFolder recipes;
    const auto cluster = cluster::clusterFromJson({{"name", "lab"},
                                                   {"scheduler", "slurm"},
                                                   {"slurm", {{"partition", "main"}}},
                                                   {"nodes", 2},
                                                   {"node", {{"devices", 2}, {"work_dir", "/shared"}}}},
                                                  "cluster.json");
    ASSERT_TRUE(cluster) << describe(cluster.error());
    const auto prepared =
        prepare(planOf({{"topologies", {"2n1g"}}}), *cluster, readRecipes({recipes.path()}), Vocabulary{});
    ASSERT_TRUE(prepared) << describe(prepared.error());
    const auto& environment = prepared->runs.at(0).nodes.at(1).environment;
    EXPECT_EQ(environment.at("DLPERF_MASTER_ADDR"), settledAtStart);
    EXPECT_EQ(environment.at("DLPERF_NODE_ADDRESSES"), settledAtStart);
}

TEST(Prepare, EveryVariableOfTheContractIsThere) {
    const RecipeFolder recipes;
    const auto prepared = prepareWith(planOf({{"topologies", {"2n4g"}},
                                              {"nodes", {"n3", "n1"}},
                                              {"warmup", 5},
                                              {"train", 50},
                                              {"features", {{"fast"}}}}),
                                      far(), recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    ASSERT_EQ(prepared->runs.at(0).nodes.size(), 2U);
    const NodeLaunch& second = prepared->runs[0].nodes[1];
    EXPECT_EQ(second.node, "n1");
    const auto env = settle(second, {"c/0007", "/home/u/dlperf/runs/c/0007/n1", "/home/u", 12345, 3});
    const std::map<std::string, std::string> expected{{"DLPERF_RUN_ID", "c/0007"},
                                                      {"DLPERF_NODES", "2"},
                                                      {"DLPERF_NODE_RANK", "1"},
                                                      {"DLPERF_DEVICES", "4"},
                                                      {"DLPERF_DEVICE_LIST", "0,1,2,3"},
                                                      {"DLPERF_WORLD_SIZE", "8"},
                                                      {"DLPERF_NODE_ADDRESSES", "10.0.0.3,10.0.0.1"},
                                                      {"DLPERF_MASTER_ADDR", "10.0.0.3"},
                                                      {"DLPERF_MASTER_PORT", "12345"},
                                                      {"DLPERF_SSH_PORTS", "10003,10001"},
                                                      {"DLPERF_INTERFACE", "ib0"},
                                                      {"DLPERF_RDMA", ""},
                                                      {"DLPERF_VARIABLES", ""},
                                                      {"DLPERF_BATCH_SIZE", "8"},
                                                      {"DLPERF_PRECISION", "fp32"},
                                                      {"DLPERF_FEATURES", "fast"},
                                                      {"DLPERF_TRAIN", "50"},
                                                      {"DLPERF_WARMUP", "5"},
                                                      {"DLPERF_REPETITION", "3"},
                                                      {"DLPERF_RUN_DIR", "/home/u/dlperf/runs/c/0007/n1"},
                                                      {"DLPERF_BIN_DIR", "/home/u/dlperf/bin"},
                                                      {"DLPERF_DATA_DIR", ""},
                                                      {"DLPERF_RECIPE_DIR", ""},
                                                      {"DLPERF_PYTHON", "python3"},
                                                      {"DLPERF_OPT_SOURCE_DIR", "/home/u/src"},
                                                      {"DLPERF_OPT_THREADS", "1"}};
    EXPECT_EQ(env, expected);
}

TEST(Prepare, ThePlanBeatsTheRecipeAndTheNodeBeatsBoth) {
    const RecipeFolder recipes;
    const Plan plan = planOf({{"options", {{"toy", {{"threads", "4"}, {"source_dir", "x/~/y"}}}}}});
    auto prepared = prepareWith(plan, here, recipes);
    ASSERT_TRUE(prepared);
    const auto env = settle(prepared->runs[0].nodes[0], {"", "", "/h", 0, 0});
    EXPECT_EQ(env.at("DLPERF_OPT_THREADS"), "4");
    EXPECT_EQ(env.at("DLPERF_OPT_SOURCE_DIR"), "x/~/y") << "only a leading ~/ is a home";
    EXPECT_EQ(prepared->runs[0].benchmarkCase.configuration.variant, (Variant{{"threads", "4"}}));
    Json nodes = here;
    nodes[0]["env"] = {{"DLPERF_OPT_THREADS", "9"}, {"OTHER", "~/z"}};
    prepared = prepareWith(plan, nodes, recipes);
    ASSERT_TRUE(prepared);
    const auto over = settle(prepared->runs[0].nodes[0], {"", "", "/h", 0, 0});
    EXPECT_EQ(over.at("DLPERF_OPT_THREADS"), "9");
    EXPECT_EQ(over.at("OTHER"), "~/z");
    EXPECT_EQ(prepared->runs[0].benchmarkCase.configuration.variant, (Variant{{"threads", "9"}}));
}

TEST(Prepare, TheRecipesFolderItsPythonAndItsSourceAreSettledOnTheNode) {
    const RecipeFolder recipes;
    recipes.add(
        "own",
        R"({"title": "t", "framework": "f", "implementation": "i", "model": "m", "format": "dlperf-worker",
        "python": {"imports": ["torch"]}, "source": {"repository": "a/b", "option": "source_dir"},
        "options": {"source_dir": {"default": "~/b"}}})",
        "exec \"$DLPERF_PYTHON\" \"$DLPERF_RECIPE_DIR/train.py\"\n");
    const auto prepared = prepareWith(planOf({{"recipes", {"own"}}}), here, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    const PlannedRun& run = prepared->runs[0];
    ASSERT_NE(run.files, nullptr);
    EXPECT_EQ(run.nodes[0].environment.at("DLPERF_PYTHON"), settledAtStart);
    const auto env = settle(run.nodes[0],
                            {"", "", "/h", 0, 0, "", "/h/dlperf/cache/recipes/own-1", "/v/bin/python", "/s"});
    EXPECT_EQ(env.at("DLPERF_RECIPE_DIR"), "/h/dlperf/cache/recipes/own-1");
    EXPECT_EQ(env.at("DLPERF_PYTHON"), "/v/bin/python");
    EXPECT_EQ(env.at("DLPERF_OPT_SOURCE_DIR"), "/s") << "where the checkout was found";
}

TEST(Prepare, ARecipeThatSaysNothingOfItsPythonStartsTheOneOfItsOption) {
    const RecipeFolder recipes;
    recipes.add(
        "own",
        R"({"title": "t", "framework": "f", "implementation": "i", "model": "m", "format": "dlperf-worker",
        "options": {"python": {"default": "~/venv/bin/python"}}})",
        "true\n");
    const auto prepared = prepareWith(planOf({{"recipes", {"own"}}}), here, recipes);
    ASSERT_TRUE(prepared);
    EXPECT_EQ(settle(prepared->runs[0].nodes[0], {"", "", "/h", 0, 0}).at("DLPERF_PYTHON"),
              "/h/venv/bin/python");
}

TEST(Prepare, ARecipesOwnFormatGivesTheRangeAndTravelsWithTheRun) {
    const RecipeFolder recipes;
    recipes.add("own",
                R"({"title": "t", "framework": "f", "implementation": "i", "model": "m", "format": "mine"})",
                "true\n");
    EXPECT_FALSE(prepareWith(planOf({{"recipes", {"own"}}}), here, recipes)) << "nobody knows the format";
    recipes.write("own/format.json",
                  R"({"name": "mine", "title": "Mine", "unit": "images/s", "implementation": "mine",
        "window": {"warmup": 3, "train": 30}, "lines": {"contain": ["it "]},
        "index": {"after": "it ", "before": " ", "numbers_lines": true},
        "value": {"after": " t ", "is": "seconds"}, "rule": "sum-of-durations", "quotient": "samples-over-total",
        "figure": "python:2", "fold": {"average": "python:2", "median": "numpy:2", "speedup": "numpy:2"}})");
    Json wish{{"recipes", {"own"}}};
    wish["warmup"] = nullptr;
    wish["train"] = nullptr;
    const auto prepared = prepareWith(planOf(wish), here, recipes);
    ASSERT_TRUE(prepared) << describe(prepared.error());
    EXPECT_EQ(prepared->runs[0].range.warmup, 3);
    EXPECT_EQ(prepared->runs[0].range.train, 30);
    EXPECT_NE(prepared->runs[0].formatRow.find("\"mine\""), std::string::npos);
}

TEST(Prepare, OnlyOptionsThatChangeTheFigureMakeAVariant) {
    const RecipeFolder recipes;
    const auto prepared = prepareWith(
        planOf({{"options", {{"toy", {{"threads", "1"}, {"source_dir", "/other"}}}}}}), here, recipes);
    ASSERT_TRUE(prepared);
    EXPECT_TRUE(prepared->runs[0].benchmarkCase.configuration.variant.empty());
}

TEST(Prepare, TheDeviceListIsCutToTheTopology) {
    const RecipeFolder recipes;
    Json nodes = here;
    nodes[0].erase("devices");
    nodes[0]["device_list"] = "4,5,6,7";
    const auto prepared = prepareWith(planOf({{"topologies", {"1n2g"}}}), nodes, recipes);
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->runs[0].nodes[0].environment.at("DLPERF_DEVICE_LIST"), "4,5");
}

TEST(Prepare, WhatTheClusterOrTheRecipeCannotDoIsSkippedWithAReason) {
    const RecipeFolder recipes;
    const auto prepared = prepareWith(
        planOf({{"topologies", {"1n1g", "2n1g", "1n4g"}}, {"precisions", {"fp32", "fp8"}}}), here, recipes);
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->runs.size(), 1U);
    const std::string reasons = reasonsOf(*prepared);
    EXPECT_THAT(reasons, HasSubstr("2n1g needs 2 nodes"));
    EXPECT_THAT(reasons, HasSubstr("1n4g needs 4 devices"));
    EXPECT_THAT(reasons, HasSubstr("fp8"));
    EXPECT_FALSE(prepareWith(planOf({{"topologies", {"4n8g"}}}), here, recipes)) << "nothing is left";
}

// Bound processes are another case only where something binds them.
TEST(Prepare, AnOptionWithoutEffectMakesNoCase) {
    const RecipeBook recipes = readRecipes({std::string(DLPERF_SOURCE_DIR) + "/resources/recipes"});
    for (const std::string name : {"dlperf-worker", "pytorch"}) {
        const auto prepareBy = [&](const Json& launchers) {
            const Plan plan =
                planOf({{"recipes", {name}},
                        {"batch_sizes", {8, 16}},
                        {"options", {{name, {{"launcher", launchers}, {"bind_to", {"none", "core"}}}}}}});
            return prepare(plan, clusterOf(here), recipes, Vocabulary{});
        };
        const auto prepared = prepareBy({"torchrun", "horovodrun", "mpirun", "mpiexec.hydra", "srun"});
        ASSERT_TRUE(prepared) << describe(prepared.error());
        EXPECT_EQ(prepared->runs.size(), 2U * (2 + 3 * 2)) << name;
        EXPECT_EQ(reasonsOf(*prepared), "option \"bind_to\" of " + name +
                                            " has no effect with launcher \"torchrun\", only with mpirun, "
                                            "mpiexec.hydra, srun\noption \"bind_to\" of " +
                                            name +
                                            " has no effect with launcher \"horovodrun\", only with mpirun, "
                                            "mpiexec.hydra, srun\n");
    }
}

// mpirun gives all processes what is said of the first node.
TEST(Prepare, ALauncherOfAllNodesIsNotStartedWhereTheyDiffer) {
    const RecipeFolder recipes;
    Json json = readJsonFile(recipes.path() / "toy/recipe.json").value();
    json["options"]["by"] = {{"default", "each"}, {"first_node", {"mpirun"}}};
    recipes.add("toy", json.dump(), "train $DLPERF_DATA_DIR\n");
    const auto prepareOn = [&](const Json& second, const char* by, const Json& env = Json::object(),
                               PlanIs age = PlanIs::New) {
        Json nodes = far();
        nodes[0].erase("devices");
        nodes[1].erase("devices");
        nodes[0]["device_list"] = "0,1,2,3";
        nodes[1]["device_list"] = "0,1,3,2";
        nodes[1].update(second);
        return prepareWith(planOf({{"topologies", {"1n2g", "2n2g"}},
                                   {"options", {{"toy", {{"by", by}}}}},
                                   {"env", env}}),
                           nodes, recipes, age)
            .value();
    };
    for (const auto& [second, field] : std::vector<std::pair<Json, std::string>>{
             {{{"device_list", "2,3"}}, "device_list \"0,1\", but node n2 has \"2,3\""},
             {{{"interface", "eth0"}}, "interface \"ib0\", but node n2 has \"eth0\""},
             {{{"rdma", "mlx5_1"}}, "rdma \"\", but node n2 has \"mlx5_1\""},
             {{{"env", {{"NCCL_ALGO", "Ring"}}}}, "NCCL_ALGO \"\", but node n2 has \"Ring\""},
             {{{"env", {{"HF_HOME", "/b"}}}}, "HF_HOME \"\", but node n2 has \"/b\""},
             {{{"env", {{"DLPERF_OPT_THREADS", "4"}}}}, "DLPERF_OPT_THREADS \"1\", but node n2 has \"4\""},
             {{{"work_dir", "/b"}}, "work_dir \"~/dlperf\", but node n2 has \"/b\""},
             {{{"data_dir", "/b"}}, "data_dir \"\", but node n2 has \"/b\""}}) {
        EXPECT_EQ(prepareOn(second, "each").runs.size(), 2U) << field;
        const PreparedPlan prepared = prepareOn(second, "mpirun");
        EXPECT_EQ(prepared.runs.size(), 1U) << field;
        EXPECT_EQ(reasonsOf(prepared),
                  "the processes of all nodes are started from node n1 and get its " + field + "\n");
    }
    EXPECT_EQ(prepareOn({{"setup", "module load x"}}, "each").runs.size(), 2U);
    EXPECT_EQ(reasonsOf(prepareOn({{"setup", "module load x"}}, "mpirun")),
              "the processes of all nodes are started from node n1, so that nothing runs the setup of node "
              "n2, which is another\n");
    EXPECT_EQ(prepareOn({{"rdma", "mlx5_1"}}, "mpirun", Json::object(), PlanIs::Begun).runs.size(), 2U)
        << "what has begun goes on";
    EXPECT_EQ(prepareOn(Json::object(), "mpirun").runs.size(), 2U) << "the devices of 2n2g are the same";
    EXPECT_EQ(prepareOn({{"interface", "eth0"}}, "mpirun", {{"DLPERF_INTERFACE", "eth1"}}).runs.size(), 2U)
        << "the plan's stands over both";
    json["options"]["data"] = {{"default", "/data"}};
    json["data"] = {{"option", "data"}};
    recipes.add("toy", json.dump(), "true\n");
    EXPECT_EQ(prepareOn({{"data_dir", "/b"}}, "mpirun").runs.size(), 2U) << "another folder is read";
}

TEST(Prepare, TheBundledWorkerIsBroughtToNodesThatAreNotThisMachineItself) {
    const RecipeFolder recipes;
    const auto launchOn = [&](const Json& node) {
        Json nodes = Json::array();
        nodes.push_back(node);
        const auto prepared = prepareWith(planOf(), nodes, recipes);
        EXPECT_TRUE(prepared);
        return prepared->runs.at(0).nodes.at(0);
    };
    Json container = here[0];
    container["container"] = {"docker", "exec", "-i", "pt"};
    EXPECT_FALSE(needsWorker(launchOn(far()[0]))) << "a recipe that brings its own trainer";
    std::ofstream(recipes.path() / "toy" / "launch.sh") << "exec \"$DLPERF_BIN_DIR/dlperf-worker\"\n";
    EXPECT_TRUE(needsWorker(launchOn(far()[0])));
    EXPECT_TRUE(needsWorker(launchOn(container)));
    EXPECT_FALSE(needsWorker(launchOn(here[0])));
    const StartFacts facts{"c/1", "/r", "/home/u", 1, 1, "/home/u/dlperf/bin/0123"};
    EXPECT_EQ(settle(launchOn(container), facts).at("DLPERF_BIN_DIR"), "/home/u/dlperf/bin/0123");
}

TEST(Prepare, ACaseAloneIsWhatThePlanMakesOfIt) {
    const RecipeFolder recipes;
    const Plan plan = planOf({{"topologies", {"1n1g", "1n2g"}},
                              {"batch_sizes", {8, 16}},
                              {"options", {{"toy", {{"threads", {"1", "4"}}, {"source_dir", "/src"}}}}},
                              {"env", {{"NCCL_ALGO", {"Ring", "Tree"}}}}});
    const auto alone = [&](const Case& wanted) {
        return prepareCase(plan, wanted, clusterOf(here), readRecipes({recipes.path()}), Vocabulary{});
    };
    const auto prepared = prepareWith(plan, here, recipes);
    ASSERT_TRUE(prepared);
    ASSERT_EQ(prepared->runs.size(), 16U);
    for (const PlannedRun& run : prepared->runs) {
        const auto one = alone(run.benchmarkCase);
        ASSERT_TRUE(one) << describe(one.error());
        EXPECT_EQ(one->nodes.at(0).environment, run.nodes.at(0).environment);
    }
    Case larger = prepared->runs.front().benchmarkCase;
    larger.configuration.batchSize = 53;
    EXPECT_EQ(alone(larger)->nodes.at(0).environment.at("DLPERF_BATCH_SIZE"), "53");
    larger.topology = {1, 3};
    EXPECT_FALSE(alone(larger));
}

TEST(Prepare, WrongNamesAreErrors) {
    const RecipeFolder recipes;
    for (const auto& [changes, says] : std::vector<std::pair<Json, const char*>>{
             {{{"recipes", {"nothing"}}}, "nothing"},
             {{{"nodes", {"z"}}}, "\"z\""},
             {{{"options", {{"toy", {{"thread", "4"}}}}}}, "\"thread\""},
             {{{"warmup", 500}}, "warmup 500"}}) {
        const auto prepared = prepareWith(planOf(changes), here, recipes);
        ASSERT_FALSE(prepared) << changes;
        EXPECT_THAT(describe(prepared.error()), HasSubstr(says));
    }
}

TEST(Prepare, AnOptionsValueIsOneThatItMayHave) {
    const RecipeFolder recipes;
    Json json = readJsonFile(recipes.path() / "toy/recipe.json").value();
    json["options"]["size"] = {{"default", "64"}, {"multiple_of", 32}};
    json["options"]["by"] = {{"default", "a"}, {"choices", {"a", "b"}}};
    recipes.add("toy", json.dump(), "true\n");
    const auto with = [&](const char* option, const char* value) {
        return prepareWith(planOf({{"options", {{"toy", {{option, value}}}}}}), here, recipes);
    };
    EXPECT_TRUE(with("size", "96"));
    EXPECT_TRUE(with("by", "b"));
    for (const char* size : {"33", "0", "-32", "64.0", "", "64 "}) {
        const auto refused = with("size", size);
        ASSERT_FALSE(refused) << size;
        EXPECT_EQ(
            refused.error().what,
            std::string("option \"size\" of recipe toy must be a multiple of 32, not \"") + size + "\"");
    }
    const auto refused = with("by", "c");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what, "option \"by\" of recipe toy is none of its choices: a, b");
}

TEST(Prepare, FirstNodeRecipesStartOnRankZeroOnly) {
    const RecipeFolder recipes("start", "first-node");
    const auto prepared = prepareWith(planOf({{"topologies", {"3n1g"}}}), far(), recipes);
    ASSERT_TRUE(prepared);
    const auto& nodes = prepared->runs[0].nodes;
    EXPECT_TRUE(nodes[0].startsScript);
    EXPECT_FALSE(nodes[1].startsScript);
    EXPECT_FALSE(nodes[2].startsScript);
}

TEST(Prepare, AModelThatCannotLeadALogNameIsRefused) {
    for (const char* model : {"../r50", "a_b", "r 50", ""}) {
        const RecipeFolder recipes("model", model);
        EXPECT_FALSE(prepareWith(planOf(), here, recipes)) << model;
    }
}

TEST(Prepare, AnUnknownLogFormatIsNamed) {
    const RecipeFolder recipes("format", "nothing-like-it");
    const auto prepared = prepareWith(planOf(), here, recipes);
    ASSERT_FALSE(prepared);
    EXPECT_THAT(describe(prepared.error()), HasSubstr("nothing-like-it"));
}

}  // namespace
}  // namespace dlperf::launch
