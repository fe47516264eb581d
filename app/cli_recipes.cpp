// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/launch/plan_nodes.h"

namespace dlperf::app {
namespace {

struct RecipesOptions {
    std::string name;
    std::string folder;
    bool json = false;
};

Json toJson(const launch::Recipe& recipe) {
    Json options = Json::array();
    for (const launch::RecipeOption& option : recipe.options) {
        options.push_back({{"name", option.name},
                           {"default", option.defaultValue},
                           {"choices", option.choices},
                           {"affects_result", option.affectsResult},
                           {"help", option.help}});
    }
    return {{"name", recipe.name},
            {"title", recipe.title},
            {"framework", recipe.framework},
            {"implementation", recipe.implementation},
            {"model", recipe.model},
            {"unit", recipe.unit},
            {"format", recipe.format},
            {"precisions", recipe.precisions},
            {"features", recipe.features},
            {"options", std::move(options)},
            {"folder", recipe.folder.string()}};
}

void printList(const std::vector<launch::Recipe>& recipes) {
    std::size_t width = 0;
    for (const launch::Recipe& recipe : recipes) {
        width = std::max(width, recipe.name.size());
    }
    for (const launch::Recipe& recipe : recipes) {
        std::cout << fmt::format("{:<{}}  {} ({})\n", printable(recipe.name), width, printable(recipe.title),
                                 printable(join(recipe.precisions, ", ")));
    }
}

void printOne(const launch::Recipe& recipe) {
    const auto row = [](const char* what, const std::string& text) {
        if (!text.empty()) {
            std::cout << labelled(what, printable(text)) << '\n';
        }
    };
    std::cout << printable(recipe.title) << '\n';
    row("framework", recipe.framework);
    row("trainer", recipe.implementation);
    row("model", recipe.model);
    row("precisions", join(recipe.precisions, ", "));
    row("features", join(recipe.features, ", "));
    row("commands", join(recipe.neededCommands, ", "));
    row("packages", join(recipe.neededPackages, ", "));
    row("starts on", told(recipe.start == launch::StartOn::EveryNode ? "every node" : "the first node"));
    row("folder", recipe.folder.string());
    std::cout << (recipe.options.empty() ? "" : "\n" + told("options:") + "\n");
    for (const launch::RecipeOption& option : recipe.options) {
        const std::string value = option.defaultValue.empty() ? "empty" : option.defaultValue;
        const std::string choices = option.choices.empty() ? "" : " of " + join(option.choices, ", ");
        std::cout << fmt::format("  {} ({}{}{})\n      {}\n", printable(option.name), printable(value),
                                 printable(choices), told(option.affectsResult ? "; part of the case" : ""),
                                 told(option.help));
    }
}

Result<int> showRecipes(const RecipesOptions& options) {
    const auto book = TRY(chooseRecipes(options.folder));
    for (const Error& problem : book.problems) {
        (void)complain("recipes", problem);
    }
    std::vector<launch::Recipe> shown = book.recipes;
    if (!options.name.empty()) {
        shown = {*TRY(launch::findRecipe(book, options.name, {}))};
    }
    if (options.json) {
        Json list = Json::array();
        for (const launch::Recipe& recipe : shown) {
            list.push_back(toJson(recipe));
        }
        std::cout << printedJson(list) << '\n';
    } else if (options.name.empty()) {
        printList(shown);
    } else {
        printOne(shown.front());
    }
    TRY(flushOutput());
    return book.problems.empty() ? 0 : 1;
}

}  // namespace

void addRecipesCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("recipes", "List the recipes, or say what one of them takes");
    const auto options = std::make_shared<RecipesOptions>();
    command->add_option("NAME", options->name, "Of one recipe: its options, and what it needs");
    command->add_option("--recipes", options->folder, "Folder of recipes, searched before the bundled ones")
        ->type_name("FOLDER");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("recipes", showRecipes(*options)); });
}

}  // namespace dlperf::app
