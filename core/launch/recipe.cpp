// SPDX-License-Identifier: Apache-2.0
#include "core/launch/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <system_error>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace dlperf::launch {
namespace {

namespace fs = std::filesystem;

template <class Value>
Value oneOf(JsonReader& reader, const char* field,
            const std::array<std::pair<const char*, Value>, 2>& words) {
    const std::string text = reader.text(field, words[0].first);
    for (const auto& [word, value] : words) {
        if (text == word) {
            return value;
        }
    }
    reader.addError(fmt::format("\"{}\" must be \"{}\" or \"{}\"", field, words[0].first, words[1].first));
    return words[0].second;
}

// An option becomes DLPERF_OPT_NAME and a part of a folder's name.
RecipeOption readOption(JsonReader& reader, const std::string& name, const Json& json,
                        const std::string& where) {
    JsonReader option(json, fmt::format("{}, option \"{}\"", where, cleanUtf8(name)));
    RecipeOption value{name, option.text("default"), option.text("help"),
                       option.flag("affects_result", false)};
    option.refuseOthers({"default", "help", "affects_result"});
    if (option.error() != nullptr) {
        reader.addError(option.error()->where + ": " + option.error()->what);
    }
    if (!isVariableName(name) || lower(name) != name || name.size() > 40) {
        reader.addError(fmt::format("\"{}\" is no name for an option", cleanUtf8(name)),
                        "Use lower-case letters, digits and underscores, at most 40.");
    }
    if (hasNul(value.defaultValue)) {
        reader.addError(fmt::format("the default of \"{}\" holds NUL", name));
    }
    return value;
}

void readOptions(JsonReader& reader, Recipe& recipe, const std::string& where) {
    const Json& options = reader.member("options");
    if (!options.is_null() && !options.is_object()) {
        reader.addError("\"options\" must be an object");
        return;
    }
    for (const auto& [name, json] : options.items()) {
        recipe.options.push_back(readOption(reader, name, json, where));
    }
}

void readNeeds(JsonReader& reader, Recipe& recipe, const std::string& where) {
    const Json& json = reader.member("needs");
    if (json.is_null()) {
        return;
    }
    JsonReader needs(json, where + ", needs");
    recipe.neededCommands = needs.texts("commands");
    recipe.neededPython = needs.texts("python");
    recipe.sshBetweenNodes = needs.flag("ssh_between_nodes", false);
    needs.refuseOthers({"commands", "python", "ssh_between_nodes"});
    if (needs.error() != nullptr) {
        reader.addError(needs.error()->where + ": " + needs.error()->what, needs.error()->remedy);
    }
    const auto odd = [](const std::string& name) { return !isPlainName(name); };
    if (std::ranges::any_of(recipe.neededCommands, odd) || std::ranges::any_of(recipe.neededPython, odd)) {
        reader.addError("\"needs\" holds something that is no name of a command or a module");
    }
}

Result<Recipe> recipeFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Recipe recipe;
    recipe.title = cleanUtf8(reader.requiredText("title"));
    recipe.framework = reader.requiredText("framework");
    recipe.implementation = reader.requiredText("implementation");
    recipe.model = reader.requiredText("model");
    recipe.unit = reader.text("unit", recipe.unit);
    recipe.format = reader.requiredText("format");
    recipe.start = oneOf<StartOn>(reader, "start",
                                  {{{"every-node", StartOn::EveryNode}, {"first-node", StartOn::FirstNode}}});
    recipe.stop = oneOf<StopWhen>(
        reader, "stop", {{{"trainer-ends", StopWhen::TrainerEnds}, {"when-measured", StopWhen::Measured}}});
    recipe.precisions = reader.texts("precisions", {"fp32"});
    recipe.features = reader.texts("features");
    readOptions(reader, recipe, where);
    readNeeds(reader, recipe, where);
    reader.refuseOthers({"title", "framework", "implementation", "model", "unit", "format", "start", "stop",
                         "precisions", "features", "options", "needs"});
    return reader.error() == nullptr ? Result<Recipe>(std::move(recipe)) : Failure(*reader.error());
}

// People read options in the order in which the recipe's author wrote them; JSON values forget it.
void orderAsWritten(std::vector<RecipeOption>& options, const std::string& text) {
    const auto written = nlohmann::ordered_json::parse(text, nullptr, false);
    std::map<std::string, std::size_t> places;
    for (const auto& [name, value] : written["options"].items()) {
        places.emplace(name, places.size());
    }
    std::ranges::sort(options, [&](const RecipeOption& a, const RecipeOption& b) {
        return places[a.name] < places[b.name];
    });
}

}  // namespace

Result<Recipe> readRecipe(const fs::path& folder) {
    const fs::path path = folder / "recipe.json";
    const auto text = TRY(readFile(path));
    const auto json = TRY(parseJson(text, path.string()));
    auto recipe = TRY(recipeFromJson(json, path.string()));
    if (!recipe.options.empty()) {
        orderAsWritten(recipe.options, text);
    }
    auto script = TRY(readFile(folder / "launch.sh"));
    recipe.name = folder.filename().string();
    recipe.script = std::move(script);
    recipe.folder = folder;
    if (!isPlainName(recipe.name)) {
        return fail(fmt::format("\"{}\" is no name for a recipe", refusedName(recipe.name)), folder.string(),
                    "Rename the folder: letters, digits, . _ and -.");
    }
    if (hasNul(recipe.script)) {
        return fail("is no text: it holds NUL", (folder / "launch.sh").string());
    }
    return recipe;
}

const Recipe* RecipeBook::find(const std::string& name) const {
    const auto found =
        std::ranges::find_if(recipes, [&](const Recipe& recipe) { return recipe.name == name; });
    return found == recipes.end() ? nullptr : &*found;
}

RecipeBook readRecipes(const std::vector<fs::path>& folders) {
    std::map<std::string, Recipe> byName;
    std::set<std::string> broken;  // hides the same name in later folders: what is meant must not be replaced
    RecipeBook book;
    for (const fs::path& folder : folders) {
        std::error_code error;
        std::vector<fs::path> candidates;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
             entry.increment(error)) {
            if (fs::exists(entry->path() / "recipe.json", error)) {
                candidates.push_back(entry->path());
            }
        }
        if (error) {
            book.problems.push_back(Error{"the recipes cannot be listed", folder.string(),
                                          "Name a folder that holds recipe folders.", ErrorKind::Input,
                                          error.message()});
        }
        std::ranges::sort(candidates);
        for (const fs::path& candidate : candidates) {
            auto recipe = readRecipe(candidate);
            if (recipe && !broken.contains(recipe->name)) {
                byName.emplace(recipe->name, std::move(*recipe));
            } else if (!recipe) {
                broken.insert(candidate.filename().string());
                book.problems.push_back(recipe.error());
            }
        }
    }
    for (auto& [name, recipe] : byName) {
        book.recipes.push_back(std::move(recipe));
    }
    return book;
}

}  // namespace dlperf::launch
