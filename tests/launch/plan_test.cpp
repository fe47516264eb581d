// SPDX-License-Identifier: Apache-2.0
#include "core/launch/plan.h"

#include <gmock/gmock.h>

namespace dlperf::launch {
namespace {

using testing::HasSubstr;

const Json smallest{{"recipes", {"toy"}}, {"topologies", {"1n1g"}}, {"batch_sizes", {8}}};

Json with(const char* field, const Json& value) {
    Json json = smallest;
    json[field] = value;
    return json;
}

TEST(Plan, NeedsOnlyRecipesTopologiesAndBatchSizes) {
    const auto plan = planFromJson(smallest, "plan.json");
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->precisions, std::vector<std::string>{"fp32"});
    EXPECT_EQ(plan->features, std::vector<std::vector<std::string>>{{}});
    EXPECT_EQ(plan->repetitions, 1);
    EXPECT_EQ(plan->timeoutSeconds, 3600);
    EXPECT_EQ(plan->pauseSeconds, 0);
    EXPECT_FALSE(plan->warmup);
    EXPECT_FALSE(plan->train);
}

TEST(Plan, SurvivesBeingWrittenAndRead) {
    Json json = smallest;
    json.update({{"name", "all"},
                 {"precisions", {"fp32", "amp"}},
                 {"features", {Json::array(), {"dali", "xla"}}},
                 {"nodes", {"b", "a"}},
                 {"repetitions", 5},
                 {"warmup", 20},
                 {"train", 120},
                 {"timeout_s", 60},
                 {"pause_s", 3},
                 {"options", {{"toy", {{"x", "a 'b'\n"}, {"workers", {"8", "16", "48"}}}}}},
                 {"env", {{"NCCL_ALGO", {"Ring", "Tree"}}}}});
    const auto plan = planFromJson(json, "plan.json");
    ASSERT_TRUE(plan) << describe(plan.error());
    const auto again = planFromJson(toJson(*plan), "again");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(toJson(*again), toJson(*plan));
    EXPECT_EQ(again->options.at("toy").at("x"), std::vector<std::string>{"a 'b'\n"});
    EXPECT_EQ(again->options.at("toy").at("workers"), (std::vector<std::string>{"8", "16", "48"}));
    EXPECT_EQ(again->env.at("NCCL_ALGO"), (std::vector<std::string>{"Ring", "Tree"}));
    EXPECT_EQ(again->nodes, (std::vector<std::string>{"b", "a"}));
}

TEST(Plan, EveryCombinationOfValuesIsRun) {
    Json json = with("options", {{"toy", {{"x", {"1", "2"}}, {"y", "3"}}}});
    json["env"] = {{"NCCL_ALGO", {"Ring", "Tree"}}};
    const Plan plan = planFromJson(json, "plan.json").value();
    std::vector<std::string> all;
    for (const CaseSettings& one : settingsOf(plan, "toy")) {
        all.push_back(one.options.at("x") + one.options.at("y") + one.env.at("NCCL_ALGO"));
    }
    EXPECT_THAT(all, testing::ElementsAre("13Ring", "13Tree", "23Ring", "23Tree"));
    EXPECT_EQ(settingsOf(plan, "other").size(), 2U) << "its variables are every recipe's";
}

TEST(Plan, OnlySomeCasesOfTheProduct) {
    const Json cases = {{{"recipe", "toy"}, {"topology", "1n1g"}, {"batch_size", 8}, {"repetitions", 3}}};
    const auto plan = planFromJson(with("only", cases), "plan.json");
    ASSERT_TRUE(plan) << describe(plan.error());
    ASSERT_EQ(plan->only.size(), 1U);
    EXPECT_EQ(plan->only[0].precision, "fp32");
    EXPECT_EQ(plan->only[0].repetitions, 3);
    EXPECT_EQ(toJson(planFromJson(toJson(*plan), "again").value()), toJson(*plan));
    EXPECT_FALSE(toJson(planFromJson(smallest, "plan.json").value()).contains("only"));
}

TEST(Plan, ASearchBeginsAtItsBatchSize) {
    const auto plan = planFromJson(with("search", {{"batch_size", {{"most", 96}, {"multiple_of", 8}}}}), "p");
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->search, (Search{"", 96, 8}));
    EXPECT_EQ(toJson(planFromJson(toJson(*plan), "again").value()), toJson(*plan));
    EXPECT_EQ(planFromJson(with("search", {{"batch_size", Json::object()}}), "p")->search, Search{});
    const Json bySix{{"batch_size", {{"multiple_of", 8}}}};
    EXPECT_EQ(planFromJson(with("search", bySix), "p")->search->most % 8, 0);
    EXPECT_FALSE(toJson(planFromJson(smallest, "p").value()).contains("search"));
}

TEST(Plan, ASearchOfAnOptionNamesIt) {
    const auto plan = planFromJson(with("search", {{"option", {{"name", "workers"}}}}), "p");
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->search, (Search{"workers", 64, 1}));
    EXPECT_EQ(toJson(planFromJson(toJson(*plan), "again").value()), toJson(*plan));
    const auto both = planFromJson(
        with("search", {{"option", {{"name", "workers"}}}, {"batch_size", Json::object()}}), "p");
    EXPECT_TRUE(!both && both.error().what.find("one thing is found at a time") != std::string::npos);
    EXPECT_FALSE(planFromJson(with("search", {{"option", Json::object()}}), "p"));
    Json swept = with("search", {{"option", {{"name", "workers"}}}});
    swept["options"] = {{"toy", {{"workers", {"1", "2"}}}}};
    EXPECT_FALSE(planFromJson(swept, "p"));
}

TEST(Plan, AGlobalBatchIsDividedAmongTheDevices) {
    Json json{
        {"recipes", {"toy"}}, {"topologies", {"1n1g", "1n2g", "2n2g"}}, {"global_batch_sizes", {64, 8}}};
    const auto plan = planFromJson(json, "p");
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(batchSizesOf(*plan, {1, 1}), (std::vector<int>{64, 8}));
    EXPECT_EQ(batchSizesOf(*plan, {2, 2}), (std::vector<int>{16, 2}));
    EXPECT_EQ(toJson(planFromJson(toJson(*plan), "again").value()), toJson(*plan));
    json["only"] = {{{"recipe", "toy"}, {"topology", "2n2g"}, {"batch_size", 16}}};
    EXPECT_TRUE(planFromJson(json, "p"));
    json["only"][0]["batch_size"] = 64;
    EXPECT_FALSE(planFromJson(json, "p"));
    json["topologies"] = {"1n3g"};
    const auto refused = planFromJson(json, "p");
    ASSERT_FALSE(refused);
    json.erase("only");
    EXPECT_THAT(describe(planFromJson(json, "p").error()),
                HasSubstr("a global batch size of 64 cannot be divided among the 3 devices of 1n3g"));
}

TEST(Plan, RepeatsUntilItsWidth) {
    const auto plan = planFromJson(with("until", {{"width", "0.5 %"}, {"most", 9}}), "p");
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_EQ(plan->until, (RepeatUntil{0.5, 9}));
    EXPECT_EQ(planFromJson(toJson(*plan), "again")->until, plan->until);
    EXPECT_FALSE(toJson(planFromJson(smallest, "p").value()).contains("until"));
}

// A search of the smallest plan, with one more field.
Json searching(const char* field, const Json& value) {
    Json json = with("search", {{"batch_size", Json::object()}});
    json[field] = value;
    return json;
}

TEST(Plan, WhatIsWrongIsNamed) {
    const std::vector<std::pair<Json, const char*>> wrong{
        {Json::object(), "recipes"},
        {with("recipes", Json::array()), "recipes"},
        {with("recipes", {"../evil"}), "recipes"},
        {with("recipes", {"toy", "toy"}), "twice"},
        {with("topologies", {"2x8"}), "2x8"},
        {with("topologies", {"1n1g", "1n1g"}), "twice"},
        {with("batch_sizes", {0}), "batch_sizes"},
        {with("batch_sizes", {8, 16, 8}), "twice"},
        {with("global_batch_sizes", {8}), "exclude each other"},
        {with("global_batch_sizes", {8, 8}), "twice"},
        {with("global_batch_sizes", {0}), "global_batch_sizes"},
        {with("only", Json::array()), "only"},
        {with("only", {{{"recipe", "toy"}, {"batch_size", 8}}}), "topology"},
        {with("only", {{{"recipe", "toy"}, {"topology", "1n2g"}, {"batch_size", 8}}}), "lists"},
        {with("only", {{{"recipe", "toy"}, {"topology", "1n1g"}, {"batch_size", 8}, {"x", 1}}}), "x"},
        {with("only", {{{"recipe", "toy"}, {"topology", "1n1g"}, {"batch_size", 8}},
                       {{"recipe", "toy"}, {"topology", "1n1g"}, {"batch_size", 8}}}),
         "twice"},
        {with("precisions", {"fp/32"}), "precisions"},
        {with("features", {"dali"}), "features"},
        {with("features", {{"da+li"}}), "features"},
        {with("features", Json::array({Json::array({"a", "b"}), Json::array({"b", "a"})})), "twice"},
        {with("repetitions", 0), "repetitions"},
        {with("timeout_s", -1), "timeout_s"},
        {with("options", {{"other", {{"x", "1"}}}}), "other"},
        {with("options", {{"toy", {{"x", 1}}}}), "quotes"},
        {with("options", {{"toy", {{"x", std::string("a\0b", 3)}}}}), "NUL"},
        {with("options", {{"toy", {{"x", Json::array()}}}}), "no value"},
        {with("options", {{"toy", {{"x", {"1", "1"}}}}}), "twice"},
        {with("options", {{"toy", {{"x", {"1", 2}}}}}), "quotes"},
        {with("env", "NCCL_ALGO=Ring"), "env"},
        {with("env", {{"DLPERF_OPT_X", "1"}}), "options"},
        {with("env", {{"A B", "1"}}), "A B"},
        {with("only", {{{"recipe", "toy"}, {"topology", "1n1g"}, {"batch_size", 8}, {"variant", "x"}}}),
         "variant"},
        {with("nodes", {"a b"}), "nodes"},
        {with("search", 4096), "search"},
        {with("search", Json::object()), "search"},
        {with("search", {{"batch_size", {{"step", 8}}}}), "step"},
        {with("search", {{"batch_size", {{"most", 0}}}}), "most"},
        {with("search", {{"batch_size", {{"most", 4}}}}), "begins at 8, above"},
        {with("search", {{"batch_size", {{"multiple_of", 3}}}}), "multiples of 3"},
        {with("search", {{"batch_size", {{"most", 20}, {"multiple_of", 8}}}}), "multiples of 8"},
        {searching("batch_sizes", {8, 16}), "one batch size"},
        {searching("repetitions", 2), "repetitions"},
        {searching("until", {{"width", "2%"}}), "until"},
        {with("until", "2%"), "until"},
        {with("until", Json::object()), "width"},
        {with("until", {{"width", "2"}}), "percent"},
        {with("until", {{"width", "0%"}}), "percent"},
        {with("until", {{"width", "-1%"}}), "percent"},
        {with("until", {{"width", "nan%"}}), "percent"},
        {with("until", {{"width", "2%"}, {"most", 4}}), "most"},
        {with("until", {{"width", "2%"}, {"least", 4}}), "least"},
        {with("repetition", 3), "repetition"},
        {Json::array(), "object"},
    };
    for (const auto& [json, says] : wrong) {
        const auto plan = planFromJson(json, "plan.json");
        ASSERT_FALSE(plan) << json;
        EXPECT_EQ(plan.error().kind, ErrorKind::Input);
        EXPECT_THAT(describe(plan.error()), HasSubstr(says)) << json;
    }
    Json nothing = with("warmup", 50);
    nothing["train"] = 50;
    EXPECT_FALSE(planFromJson(nothing, "plan.json"));
    Json many = with("repetitions", 1000);
    many["batch_sizes"] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    EXPECT_FALSE(planFromJson(many, "plan.json"));
    Json values = Json::array();
    for (int value = 0; value < 101; ++value) {
        values.push_back(std::to_string(value));
    }
    many = with("env", {{"A", values}, {"B", values}});
    EXPECT_FALSE(planFromJson(many, "plan.json")) << "lists multiply";
}

}  // namespace
}  // namespace dlperf::launch
