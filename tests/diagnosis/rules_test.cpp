// SPDX-License-Identifier: Apache-2.0
// The file of rules: what it must hold, and what is said of one that is wrong.
#include "core/diagnosis/rules.h"

#include <gmock/gmock.h>

namespace dlperf::diagnosis {
namespace {

using testing::HasSubstr;

Json rule(const Json& changes = Json::object()) {
    Json one{{"id", "x"}, {"patterns", {"boom (\\w+)"}}, {"what", "It broke."}, {"remedy", "Mend it."}};
    one.update(changes);
    return one;
}

Result<RuleSet> read(const Json& rules) {
    return RuleSet::fromJson({{"rules", rules}}, "rules.json");
}

TEST(Rules, OneIsEnough) {
    const auto set = read(Json::array({rule()}));
    ASSERT_TRUE(set) << describe(set.error());
    ASSERT_EQ(set->match("a boom twice boom").size(), 1U);
    EXPECT_EQ(set->match("a boom twice")[0].captured, "twice");
    EXPECT_TRUE(set->match("nothing").empty());
    EXPECT_EQ(set->stall(), nullptr);
}

TEST(Rules, ALineMayFitSeveral) {
    const auto set = read(Json::array({rule(), rule({{"id", "y"}, {"patterns", {"twice", "boom"}}})}));
    const auto matches = set->match("boom twice");
    ASSERT_EQ(matches.size(), 2U);
    EXPECT_EQ(matches[0].rule, 0U);
    EXPECT_EQ(matches[1].rule, 1U);
}

TEST(Rules, ExceptionsAreNotMeant) {
    const auto set = read(Json::array({rule({{"except", {"INFO"}}})}));
    EXPECT_TRUE(set->match("INFO boom twice").empty());
    EXPECT_EQ(set->match("WARN boom twice").size(), 1U);
}

TEST(Rules, WhatIsWrongIsSaid) {
    const std::vector<std::pair<Json, const char*>> wrong{
        {rule({{"patterns", {"(unclosed"}}}), "the pattern \"(unclosed\" is wrong"},
        {rule({{"patterns", {""}}}), "is empty"},
        {rule({{"patterns", Json::array()}}), "needs a pattern or an exit code"},
        {rule({{"severity", "loud"}}), "\"severity\""},
        {rule({{"exit_codes", {0}}}), "exit_codes"},
        {rule({{"pattern", "typing error"}}), "pattern"},
        {rule({{"remedy", 3}}), "remedy"},
        {Json("text"), ""},
    };
    for (const auto& [json, words] : wrong) {
        const auto set = read(Json::array({json}));
        ASSERT_FALSE(set) << json;
        EXPECT_THAT(describe(set.error()), HasSubstr(words)) << json;
        EXPECT_THAT(set.error().where, HasSubstr("rules.json, rule 1")) << json;
    }
    EXPECT_THAT(read(Json::array({rule(), rule()})).error().what, HasSubstr("\"x\" is there twice"));
    EXPECT_FALSE(RuleSet::fromJson(Json::array(), "rules.json"));
    EXPECT_FALSE(RuleSet::fromFile("/nowhere/rules.json"));
}

TEST(Rules, TheProgramsOwnAreWhole) {
    const auto set = RuleSet::fromFile(DLPERF_SOURCE_DIR "/resources/diagnosis.json");
    ASSERT_TRUE(set) << describe(set.error());
    ASSERT_NE(set->stall(), nullptr);
    for (const Rule& one : set->rules()) {
        EXPECT_EQ(one.what.back(), '.') << one.id;
        EXPECT_EQ(one.remedy.back(), '.') << one.id;
        EXPECT_FALSE(one.why.empty()) << one.id;
    }
}

}  // namespace
}  // namespace dlperf::diagnosis
