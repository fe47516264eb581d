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

TEST(Recipe, AnOptionThatIsEmptyByDefaultMayBeLeftEmpty) {
    RecipeOption option;
    option.multipleOf = 2;
    EXPECT_TRUE(allows(option, ""));
    EXPECT_TRUE(allows(option, "4"));
    EXPECT_FALSE(allows(option, "3"));
    option.defaultValue = "2";
    EXPECT_FALSE(allows(option, ""));
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
        {head + R"(, "options": {"a": {"only_with": {"b": ["x"]}}}})", "only_with"},
        {head + R"(, "options": {"a": {"only_with": ["b"]}, "b": {}}})", "only_with"},
        {head + R"(, "options": {"a": {"only_with": {"b": "x"}}, "b": {}}})", "only_with"},
        {head + R"(, "needs": {"python": ["os; import evil"]}})", "needs"},
        {head + R"(, "python": {"imports": ["os; import evil"]}})", "imports"},
        {head + R"(, "python": {"versions": ">=3.9;rm"}})", "versions"},
        {head + R"(, "python": {"requirements": {"cpu": "none.txt"}}})", "requirements"},
        {head + R"(, "python": {"requirements": {"cpu": "../x"}}})", "no name of a file"},
        {head + R"(, "python": {"requirements": {"tpu": "launch.sh"}}})", "cpu"},
        {head + R"(, "source": {"repository": "https://evil", "option": "a"}})", "repository"},
        {head + R"(, "source": {"repository": "a/b", "option": "dir"}})", "option"},
        {head + R"(, "source": {"repository": "a/b", "commit": "main", "option": "a"}})", "commit"},
        {head + R"(, "log_file": "../log"})", "log_file"},
        {head + R"(, "settles_after": "never"})", "settles_after"},
        {head + R"(, "options": {"a": {"default": "x", "choices": ["y"]}}})", "choices"},
        {head + R"(, "options": {"a": {"default": "33", "multiple_of": 32}}})", "multiple_of"},
        {head + R"(, "options": {"a": {"default": "much", "multiple_of": 32}}})", "multiple_of"},
        {head + R"(, "options": {"a": {"default": "1", "multiple_of": 0}}})", "multiple_of"},
        {head + R"(, "files": ["/no/such/file"]})", "/no/such/file"},
        {head + R"(, "files": [1]})", "files"},
        {head + R"(, "extends": "none.json"})", "none.json"},
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

TEST(Recipe, AnotherDescriptionLiesUnderIt) {
    const RecipeFolder folder;
    folder.write("shared/base.json",
                 R"({"implementation": "i", "model": "m", "format": "x", "files": ["help.py"],
        "options": {"b": {"default": "1"}, "a": {"default": "2", "help": "as it was"}}})");
    folder.write("shared/help.py", "pass\n");
    folder.add("one", R"({"extends": "../shared/base.json", "title": "t", "framework": "f",
        "options": {"a": {"default": "3"}, "c": {"default": "4"}}})",
               "true\n");
    folder.write("one/.hidden", "");
    folder.write("one/__pycache__/train.pyc", "");
    const auto recipe = readRecipe(folder.path() / "one");
    ASSERT_TRUE(recipe) << describe(recipe.error());
    ASSERT_EQ(recipe->options.size(), 3U);
    EXPECT_EQ(recipe->options[0].name, "b");
    EXPECT_EQ(recipe->options[1].defaultValue, "3");
    EXPECT_EQ(recipe->options[1].help, "as it was");
    std::vector<std::string> names;
    for (const RecipeFile& file : *recipe->files) {
        names.push_back(file.name);
    }
    EXPECT_THAT(names, testing::ElementsAre("help.py", "launch.sh", "recipe.json"));

    // As it travels it needs nothing that lies elsewhere.
    for (const RecipeFile& file : *recipe->files) {
        folder.write("copy/one/" + file.name, file.bytes);
    }
    const auto copy = readRecipe(folder.path() / "copy/one");
    ASSERT_TRUE(copy) << describe(copy.error());
    EXPECT_EQ(copy->files->at(0).bytes, "pass\n");
    EXPECT_EQ(copy->files->at(2).bytes, recipe->files->at(2).bytes);
    EXPECT_EQ(copy->options.size(), 3U);
}

TEST(Recipe, AFolderInItIsRefused) {
    const RecipeFolder folder;
    folder.write("toy/data/x", "");
    const auto recipe = readRecipe(folder.path() / "toy");
    ASSERT_FALSE(recipe);
    EXPECT_THAT(describe(recipe.error()), HasSubstr("is a folder"));
}

TEST(Recipe, ABuiltInFormatIsNotGivenAnotherMeaning) {
    const RecipeFolder folder;
    const Json rows = Json::parse(analysis::formatsJson());
    folder.write("toy/format.json", rows.front().dump());
    const auto recipe = readRecipe(folder.path() / "toy");
    ASSERT_FALSE(recipe);
    EXPECT_THAT(describe(recipe.error()), HasSubstr("built in already"));
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

TEST(Recipes, AWorkspaceMayHaveItsOwn) {
    const RecipeFolder given("title", "Mine");
    const RecipeFolder program;  // its folder "recipes" holds what comes with it
    program.add("recipes/other",
                R"({"title": "Other", "framework": "f", "implementation": "i", "model": "m", "format": "x"})",
                "true\n");
    const RecipeFolder workspace;
    EXPECT_EQ(recipeFolders(program.path(), workspace.path()).size(), 1U);
    const auto added = addRecipe(given.path() / "toy", program.path(), workspace.path());
    ASSERT_TRUE(added) << describe(added.error());
    EXPECT_EQ(added->name, "toy");
    std::ofstream(ownRecipes(workspace.path()) / "toy" / "old.txt") << "of the one before\n";
    ASSERT_TRUE(addRecipe(given.path() / "toy", program.path(), workspace.path()));
    EXPECT_FALSE(std::filesystem::exists(ownRecipes(workspace.path()) / "toy" / "old.txt"));
    const auto book = readRecipes(recipeFolders(program.path(), workspace.path()));
    EXPECT_TRUE(book.problems.empty());
    EXPECT_NE(book.find("other"), nullptr);
    ASSERT_NE(book.find("toy"), nullptr);
    EXPECT_EQ(book.find("toy")->title, "Mine");
    // The same folder once more loses nothing; what comes with the program keeps its meaning.
    ASSERT_TRUE(addRecipe(ownRecipes(workspace.path()) / "toy", program.path(), workspace.path()));
    given.add("other",
              R"({"title": "Mine", "framework": "f", "implementation": "i", "model": "m", "format": "x"})",
              "true\n");
    const auto refused = addRecipe(given.path() / "other", program.path(), workspace.path());
    ASSERT_FALSE(refused);
    EXPECT_THAT(describe(refused.error()), HasSubstr("comes with the program"));
    EXPECT_FALSE(addRecipe("/nowhere", program.path(), workspace.path()));
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
        EXPECT_NE(vocabulary->find(WordKind::Model, vocabulary->id(WordKind::Model, recipe.model)), nullptr)
            << recipe.name;
        std::string texts;
        for (const RecipeFile& file : *recipe.files) {
            texts += file.name == "recipe.json" ? "" : file.bytes;
        }
        const std::string check = "bash -n " + shellQuote((recipe.folder / "launch.sh").string());
        EXPECT_EQ(std::system(check.c_str()), 0) << recipe.name;  // NOLINT(cert-env33-c)
        for (const RecipeOption& option : recipe.options) {
            std::string variable = "DLPERF_OPT_";
            for (const char c : option.name) {
                variable += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            }
            if (option.name != "python") {  // it decides DLPERF_PYTHON
                EXPECT_NE(texts.find(variable), std::string::npos)
                    << recipe.name << " does not use its option " << option.name;
            }
            EXPECT_FALSE(option.help.empty()) << recipe.name << ": " << option.name;
        }
    }
}

// A trainer that mpirun started knows its place as under torchrun, and how many share its node.
TEST(Bundled, MpirunsProcessesGetTorchrunsNames) {
    const std::string script =
        "export DLPERF_PYTHON=python3 DLPERF_DEVICES=4 DLPERF_NODES=2 DLPERF_NODE_ADDRESSES=a,b "
        "DLPERF_SSH_PORTS=22,22 DLPERF_INTERFACE= OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8 "
        "DLPERF_DEVICE_LIST=0 DLPERF_RDMA= DLPERF_PRECISION=amp OMPI_COMM_WORLD_LOCAL_RANK=1; . " +
        shellQuote((resources / "recipes/shared/variables.sh").string()) + "; . " +
        shellQuote((resources / "recipes/shared/mpi.sh").string()) +
        R"sh(; places=$("${as_torchrun[@]}" bash -c 'echo "$RANK $WORLD_SIZE $LOCAL_RANK $LOCAL_WORLD_SIZE"')
             test "$places" = "5 8 1 4")sh";
    EXPECT_EQ(std::system(("bash -c " + shellQuote(script)).c_str()), 0);  // NOLINT(cert-env33-c)
}

// What the program measures itself with are recipes that are nobody's choice.
TEST(Bundled, MeasurementsAreNoTrainers) {
    const RecipeBook book = readRecipes({resources / "measurements"});
    EXPECT_TRUE(book.problems.empty()) << describe(book.problems.front());
    const RecipeBook chosen = readRecipes(recipeFolders(resources, {}));
    for (const char* name : {"dlperf-links", "dlperf-compute", "dlperf-data"}) {
        const Recipe* measurement = book.find(name);
        ASSERT_NE(measurement, nullptr) << name;
        EXPECT_NE(measurement->formats.find(measurement->format), nullptr) << name;
        EXPECT_TRUE(measurement->usesWorker()) << name;
        EXPECT_EQ(chosen.find(name), nullptr);
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
