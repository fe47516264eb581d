// SPDX-License-Identifier: Apache-2.0
#include "core/launch/recipe.h"

#include <gmock/gmock.h>

#include "core/analysis/format.h"
#include "core/base/text.h"
#include "core/launch/plan.h"
#include "core/model/vocabulary.h"
#include "tests/launch/recipe_folder.h"

namespace dlperf::launch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path resources = fs::path(DLPERF_SOURCE_DIR) / "resources";

TEST(Recipe, OptionsKeepTheOrderOfTheFile) {
    const RecipeFolder folder;
    folder.add("two", R"({"title": "t", "framework": "f", "implementation": "i", "model": "m", "format": "x",
        "stop": "when-measured", "options": {"zeta": {"default": "1"}, "alpha": {"default": "2"}}})",
               "true\n");
    const auto recipe = readRecipe(folder.path() / "two");
    ASSERT_TRUE(recipe) << describe(recipe.error());
    ASSERT_EQ(recipe->options.size(), 2U);
    EXPECT_EQ(recipe->options[0].name, "zeta");
    EXPECT_EQ(recipe->stop, StopWhen::Measured);
    EXPECT_EQ(recipe->start, StartOn::EveryNode);
}

TEST(Recipe, WhatIsWrongIsNamed) {
    const RecipeFolder folder;
    const std::string head =
        R"({"title": "t", "framework": "f", "implementation": "i", "model": "m", "format": "x")";
    const std::vector<std::pair<std::string, const char*>> wrong{
        {"{", "JSON"},
        {"[]", "object"},
        {R"({"title": "t"})", "framework"},
        {head + R"(, "start": "everywhere"})", "start"},
        {head + R"(, "formt": "x"})", "formt"},
        {head + R"(, "options": {"Threads": {}}})", "Threads"},
        {head + R"(, "options": {"a;b": {}}})", "a;b"},
        {head + R"(, "options": {"a": {"default": 1}}})", "default"},
        {head + R"(, "options": {"a": {"affects": true}}})", "affects"},
        {head + R"(, "needs": {"python": ["os; import evil"]}})", "needs"},
    };
    for (const auto& [json, says] : wrong) {
        folder.add("bad", json, "true\n");
        const auto recipe = readRecipe(folder.path() / "bad");
        ASSERT_FALSE(recipe) << json;
        EXPECT_THAT(describe(recipe.error()), HasSubstr(says)) << json;
    }
    folder.add("bad name", head + "}", "true\n");
    EXPECT_FALSE(readRecipe(folder.path() / "bad name"));
    fs::remove(folder.path() / "toy" / "launch.sh");
    EXPECT_FALSE(readRecipe(folder.path() / "toy"));
}

TEST(Recipes, TheFirstOfANameWinsAndABrokenOneHidesTheNext) {
    const RecipeFolder mine("title", "Mine");
    const RecipeFolder bundled("title", "Bundled");
    bundled.add("other",
                R"({"title": "Other", "framework": "f", "implementation": "i", "model": "m", "format": "x"})",
                "true\n");
    auto book = readRecipes({mine.path(), bundled.path()});
    ASSERT_NE(book.find("toy"), nullptr);
    EXPECT_EQ(book.find("toy")->title, "Mine");
    EXPECT_NE(book.find("other"), nullptr);
    mine.add("toy", "{", "true\n");
    book = readRecipes({mine.path(), bundled.path()});
    EXPECT_EQ(book.find("toy"), nullptr) << "what is meant must not be replaced silently";
    EXPECT_EQ(book.problems.size(), 1U);
    EXPECT_EQ(readRecipes({"/nowhere"}).problems.size(), 1U);
}

// The bundled recipes are data of the program: they are read, known to the vocabulary, and their scripts are
// bash.
TEST(Bundled, RecipesAreGood) {
    const RecipeBook book = readRecipes({resources / "recipes"});
    EXPECT_TRUE(book.problems.empty()) << describe(book.problems.front());
    const auto vocabulary = Vocabulary::fromFile(resources / "vocabulary.json");
    ASSERT_TRUE(vocabulary) << describe(vocabulary.error());
    for (const char* name : {"dlperf-worker", "pytorch-examples", "ngc-pytorch-resnet50", "paddle-resnet50",
                             "oneflow-resnet50"}) {
        EXPECT_NE(book.find(name), nullptr) << name;
    }
    for (const Recipe& recipe : book.recipes) {
        EXPECT_NE(analysis::findFormat(recipe.format), nullptr) << recipe.name;
        EXPECT_NE(
            vocabulary->find(WordKind::Framework, vocabulary->id(WordKind::Framework, recipe.framework)),
            nullptr)
            << recipe.name;
        EXPECT_NE(vocabulary->find(WordKind::Implementation,
                                   vocabulary->id(WordKind::Implementation, recipe.implementation)),
                  nullptr)
            << recipe.name;
        EXPECT_EQ(vocabulary->id(WordKind::Model, recipe.model), "r50");
        const std::string check = "bash -n " + shellQuote((recipe.folder / "launch.sh").string());
        EXPECT_EQ(std::system(check.c_str()), 0) << recipe.name;  // NOLINT(cert-env33-c)
        for (const RecipeOption& option : recipe.options) {
            std::string variable = "DLPERF_OPT_";
            for (const char c : option.name) {
                variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            }
            EXPECT_THAT(recipe.script, HasSubstr(variable)) << recipe.name << " does not use its option";
            EXPECT_FALSE(option.help.empty()) << recipe.name << ": " << option.name;
        }
    }
}

TEST(Bundled, PlansAreGood) {
    const RecipeBook book = readRecipes({resources / "recipes"});
    int plans = 0;
    for (const auto& entry : fs::directory_iterator(resources / "plans")) {
        const auto plan = readPlan(entry.path());
        ASSERT_TRUE(plan) << describe(plan.error());
        for (const std::string& name : plan->recipes) {
            EXPECT_NE(book.find(name), nullptr) << name;
        }
        ++plans;
    }
    EXPECT_GE(plans, 1);
}

}  // namespace
}  // namespace dlperf::launch
