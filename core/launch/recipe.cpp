// SPDX-License-Identifier: Apache-2.0
#include "core/launch/recipe.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <system_error>

#include "core/analysis/format_json.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace dlperf::launch {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uintmax_t mostFileBytes = 4U << 20U;  // of one file that travels; trainers are small
constexpr std::size_t mostFiles = 64;

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

void refuseUnless(JsonReader& reader, bool holds, const char* what, const char* remedy = "") {
    if (!holds) {
        reader.addError(what, remedy);
    }
}

std::map<std::string, std::vector<std::string>> readOnlyWith(JsonReader& option) {
    std::map<std::string, std::vector<std::string>> onlyWith;
    if (const Json& json = option.member("only_with"); json.is_object()) {
        JsonReader values(json, {});
        for (const auto& [name, list] : json.items()) {
            onlyWith[name] = values.texts(name.c_str());
        }
        refuseUnless(option, values.error() == nullptr, "\"only_with\" must hold lists of texts");
    } else {
        refuseUnless(option, json.is_null(), "\"only_with\" must be an object of options and their values");
    }
    return onlyWith;
}

// An option becomes DLPERF_OPT_NAME and a part of a folder's name.
RecipeOption readOption(JsonReader& reader, const std::string& name, const Json& json) {
    JsonReader option(json, {});
    RecipeOption value{name,
                       option.text("default"),
                       option.text("help"),
                       option.flag("affects_result", false),
                       option.texts("choices"),
                       option.text("variable"),
                       option.texts("first_node"),
                       option.integer("multiple_of", 0, 1, 1'000'000),
                       readOnlyWith(option)};
    option.refuseOthers({"default", "help", "affects_result", "choices", "variable", "first_node",
                         "multiple_of", "only_with"});
    if (option.error() != nullptr) {
        reader.addError(fmt::format("option \"{}\": {}", refusedName(name), option.error()->what),
                        option.error()->remedy);
    }
    if (!isVariableName(name) || lower(name) != name || name.size() > 40) {
        reader.addError(fmt::format("\"{}\" is no name for an option", cleanUtf8(name)),
                        "Use lower-case letters, digits and underscores, at most 40.");
    }
    if (!value.variable.empty() && !isVariableName(value.variable)) {
        reader.addError(fmt::format("\"variable\" of \"{}\" is no name of a variable", name));
    }
    if (hasNul(value.defaultValue)) {
        reader.addError(fmt::format("the default of \"{}\" holds NUL", name));
    }
    return value;
}

void readOptions(JsonReader& reader, Recipe& recipe) {
    const Json& options = reader.member("options");
    if (!options.is_null() && !options.is_object()) {
        reader.addError("\"options\" must be an object");
        return;
    }
    for (const auto& [name, json] : options.items()) {
        recipe.options.push_back(readOption(reader, name, json));
    }
}

// Fields of a member object, read by a reader of its own whose error becomes the file's.
template <class Read>
void readMember(JsonReader& reader, const char* field, const Read& read) {
    const Json& json = reader.member(field);
    if (json.is_null()) {
        return;
    }
    JsonReader member(json, field);
    read(member);
    if (member.error() != nullptr) {
        reader.addError(fmt::format("\"{}\": {}", field, member.error()->what), member.error()->remedy);
    }
}

bool isModule(const std::string& text) {
    static const RE2 pattern("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");
    return RE2::FullMatch(text, pattern);
}

// A path below some folder: no way out of it.
bool staysBelow(const std::string& path) {
    const fs::path clean = fs::path(path).lexically_normal();
    return !path.empty() && clean.is_relative() && !clean.string().starts_with("..") && !hasNul(path);
}

void readNeeds(JsonReader& needs, Recipe& recipe) {
    recipe.neededCommands = needs.texts("commands");
    recipe.neededPackages = needs.texts("python");
    recipe.sshBetweenNodes = needs.flag("ssh_between_nodes", false);
    recipe.needs.gpus = needs.flag("gpus", false);
    recipe.needs.backends = needs.texts("backends");
    needs.refuseOthers({"commands", "python", "ssh_between_nodes", "gpus", "backends"});
    const auto plain = [](const std::vector<std::string>& names) {
        return std::ranges::all_of(names, isPlainName);
    };
    refuseUnless(needs, plain(recipe.neededCommands) && plain(recipe.neededPackages),
                 "holds something that is no name of a command or a package");
    refuseUnless(needs, std::ranges::all_of(recipe.needs.backends, isVariableName),
                 "\"backends\" holds something that is no name");
}

Result<std::string> readRequirements(const fs::path& folder, const std::string& name) {
    if (!isPlainName(name)) {
        return fail(fmt::format("\"{}\" is no name of a file", refusedName(name)), folder.string());
    }
    return readFile(folder / name, mostFileBytes);
}

void readPython(JsonReader& python, Recipe& recipe) {
    static const RE2 versions("(|((<=|>=|==|<|>)[0-9]+(\\.[0-9]+)*)(,(<=|>=|==|<|>)[0-9]+(\\.[0-9]+)*)*)");
    cluster::PythonNeeds needs;
    needs.versions = python.text("versions");
    std::erase(needs.versions, ' ');
    needs.imports = python.texts("imports");
    needs.remedy = python.text("remedy");
    const Json& requirements = python.member("requirements");
    for (const auto& [kind, file] : requirements.items()) {
        const auto text = file.is_string() ? readRequirements(recipe.folder, file.get<std::string>())
                                           : Failure(Error{"names no file", {}, {}, ErrorKind::Input, {}});
        refuseUnless(python, kind == "cpu" || kind == "cuda", "\"requirements\" are of \"cpu\" or \"cuda\"");
        if (text) {
            needs.requirements[kind] = *text;
        } else {
            python.addError(
                fmt::format("\"requirements\" of \"{}\": {}", cleanUtf8(kind), reasonOf(text.error())));
        }
    }
    python.refuseOthers({"versions", "requirements", "imports", "remedy"});
    refuseUnless(python, RE2::FullMatch(needs.versions, versions), "\"versions\" cannot be read",
                 "Write bounds between commas: \">=3.9,<3.13\".");
    refuseUnless(python, std::ranges::all_of(needs.imports, isModule),
                 "\"imports\" holds something that is no module");
    recipe.needs.python = std::move(needs);
}

void readSource(JsonReader& source, Recipe& recipe) {
    static const RE2 repository("[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_.-]+");
    static const RE2 commit("[0-9a-f]{40}");
    static const RE2 branch("|[A-Za-z0-9][A-Za-z0-9._/-]*");
    cluster::SourceNeeds needs{source.requiredText("repository"), source.text("commit"),
                               source.requiredText("option"), source.texts("needs"), source.text("branch")};
    const std::string folder = source.text("folder");
    source.refuseOthers({"repository", "commit", "branch", "folder", "option", "needs"});
    refuseUnless(source, RE2::FullMatch(needs.branch, branch), "\"branch\" is no name of a branch");
    refuseUnless(source, RE2::FullMatch(needs.repository, repository),
                 "\"repository\" is no \"owner/name\" of GitHub");
    refuseUnless(source, needs.commit.empty() || RE2::FullMatch(needs.commit, commit),
                 "\"commit\" must be 40 hexadecimal digits",
                 "A short one or a branch may mean something else tomorrow.");
    for (std::string& file : needs.files) {
        file = (fs::path(folder) / file).string();
        refuseUnless(source, staysBelow(file), "\"needs\" and \"folder\" must be paths inside the checkout");
    }
    recipe.needs.source = std::move(needs);
}

void readData(JsonReader& data, Recipe& recipe) {
    cluster::DataNeeds needs{data.text("option"), data.texts("kinds"), data.flag("optional", false), {}};
    const Json& unless = data.member("unless");
    for (const auto& [option, value] : unless.items()) {
        refuseUnless(data, value.is_string(), "\"unless\" must be an object of options and their values");
        needs.unless[option] = value.is_string() ? value.get<std::string>() : "";
    }
    data.refuseOthers({"option", "kinds", "optional", "unless"});
    recipe.needs.data = std::move(needs);
}

// What other fields name must be among the options.
void checkOptionNames(JsonReader& reader, const Recipe& recipe) {
    const auto known = [&](const std::string& name) {
        return name.empty() ||
               std::ranges::find(recipe.options, name, &RecipeOption::name) != recipe.options.end();
    };
    bool all = !recipe.needs.source || known(recipe.needs.source->option);
    if (recipe.needs.data) {
        all = all && known(recipe.needs.data->option);
        for (const auto& [option, value] : recipe.needs.data->unless) {
            all = all && known(option);
        }
    }
    refuseUnless(reader, all, "\"source\" or \"data\" names an option that the recipe has not");
    for (const RecipeOption& option : recipe.options) {
        const auto isKnown = [&](const auto& with) { return !with.first.empty() && known(with.first); };
        refuseUnless(reader, std::ranges::all_of(option.onlyWith, isKnown),
                     "\"only_with\" names an option that the recipe has not");
        refuseUnless(reader, option.choices.empty() || allows(option, option.defaultValue),
                     "the default of an option is none of its choices");
        refuseUnless(reader, allows(option, option.defaultValue),
                     "the default of an option is no multiple of its \"multiple_of\"");
    }
}

Result<Recipe> recipeFromJson(const Json& json, const std::string& where, const fs::path& folder) {
    JsonReader reader(json, where);
    Recipe recipe;
    recipe.folder = folder;
    recipe.name = folder.filename().string();
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
    recipe.setByTrainer = reader.texts("set_by_trainer");
    refuseUnless(reader, std::ranges::all_of(recipe.setByTrainer, isVariableName),
                 "\"set_by_trainer\" holds something that is no name of a variable");
    readOptions(reader, recipe);
    const auto into = [&](void (*read)(JsonReader&, Recipe&)) {
        return [&recipe, read](JsonReader& member) { read(member, recipe); };
    };
    readMember(reader, "needs", into(readNeeds));
    readMember(reader, "python", into(readPython));
    readMember(reader, "source", into(readSource));
    readMember(reader, "data", into(readData));
    recipe.needs.recipe = recipe.name;
    recipe.logFile = reader.text("log_file");
    refuseUnless(reader, recipe.logFile.empty() || staysBelow(recipe.logFile),
                 "\"log_file\" must be a path inside the run's folder");
    recipe.settlesAfterRange =
        oneOf<bool>(reader, "settles_after", {{{"end", false}, {"range-reached", true}}});
    checkOptionNames(reader, recipe);
    reader.refuseOthers({"title", "framework", "implementation", "model", "unit", "format", "start", "stop",
                         "precisions", "features", "set_by_trainer", "options", "needs", "python", "source",
                         "data", "log_file", "settles_after"});
    return reader.error() == nullptr ? Result<Recipe>(std::move(recipe)) : Failure(*reader.error());
}

// People read options in the order in which the recipe's author wrote them; JSON values forget it.
void orderAsWritten(std::vector<RecipeOption>& options, const OrderedJson& written) {
    std::map<std::string, std::size_t> places;
    if (written.contains("options")) {
        for (const auto& [name, value] : written["options"].items()) {
            places.emplace(name, places.size());
        }
    }
    std::ranges::sort(options, [&](const RecipeOption& a, const RecipeOption& b) {
        return places[a.name] < places[b.name];
    });
}

// A recipe.json with what it extends under it (objects are merged), and the files of other folders that it
// takes along: absolute paths.
struct Description {
    OrderedJson json;
    std::vector<fs::path> files;
};

Result<OrderedJson> readOrdered(const fs::path& path) {
    const auto text = TRY(readFile(path));
    (void)TRY(parseJson(text, path.string()));  // for its messages
    return OrderedJson::parse(text, nullptr, false);
}

// Takes a field of texts out.
Result<std::vector<std::string>> takeTexts(OrderedJson& json, const char* field, const fs::path& where) {
    std::vector<std::string> texts;
    if (!json.is_object() || !json.contains(field)) {
        return texts;
    }
    const OrderedJson value = json[field];
    json.erase(field);
    for (const OrderedJson& item : value.is_array() ? value : OrderedJson::array({value})) {
        if (!item.is_string()) {
            return fail(fmt::format("\"{}\" must hold texts", field), where.string());
        }
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

Result<Description> readDescription(const fs::path& path) {
    Description description{TRY(readOrdered(path)), {}};
    const auto bases = TRY(takeTexts(description.json, "extends", path));
    const auto add = [&](const std::vector<std::string>& names, const fs::path& folder) {
        for (const std::string& name : names) {
            description.files.push_back((folder / name).lexically_normal());
        }
    };
    add(TRY(takeTexts(description.json, "files", path)), path.parent_path());
    for (const std::string& base : bases) {
        const fs::path file = (path.parent_path() / base).lexically_normal();
        OrderedJson under = TRY(readOrdered(file));
        add(TRY(takeTexts(under, "files", file)), file.parent_path());
        under.merge_patch(description.json);
        description.json = std::move(under);
    }
    return description;
}

Result<RecipeFile> readTravelling(const fs::path& path) {
    std::error_code error;
    const auto permissions = fs::status(path, error).permissions();
    const bool executable = (permissions & fs::perms::owner_exec) != fs::perms::none;
    auto bytes = TRY(readFile(path, mostFileBytes));
    return RecipeFile{path.filename().string(), std::move(bytes), executable};
}

// All of the folder, with its description made one file; what others have put there (hidden files, Python's
// compiled ones) stays.
Result<std::vector<RecipeFile>> readFiles(const fs::path& folder, const Description& description) {
    std::vector<RecipeFile> files;
    std::vector<fs::path> paths = description.files;
    for (const fs::path& path : entriesOf(folder)) {
        const std::string name = path.filename().string();
        if (!name.starts_with('.') && name != "__pycache__" && name != "recipe.json") {
            paths.push_back(path);
        }
    }
    files.push_back({"recipe.json", description.json.dump(2) + "\n", false});
    for (const fs::path& path : paths) {
        std::error_code error;
        if (fs::is_directory(path, error)) {
            return fail("is a folder: a recipe's files stand beside each other", path.string(),
                        "Move its files up.");
        }
        if (!isPlainName(path.filename().string())) {
            return fail("has a name that cannot travel", path.string(), "Use letters, digits, . _ and -.");
        }
        files.push_back(TRY(readTravelling(path)));
    }
    std::ranges::sort(files, {}, &RecipeFile::name);
    const auto same = std::ranges::adjacent_find(files, {}, &RecipeFile::name);
    if (same != files.end()) {
        return fail(fmt::format("{} is there twice", same->name), folder.string(),
                    "\"files\" name it as well.");
    }
    if (files.size() > mostFiles) {
        return fail(fmt::format("holds {} files; at most {} travel", files.size(), mostFiles),
                    folder.string());
    }
    return files;
}

Result<analysis::FormatBook> readOwnFormats(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / "format.json", error)) {
        return analysis::FormatBook();
    }
    auto rows = TRY(analysis::readFormats(folder / "format.json"));
    for (const analysis::Format& row : rows) {
        if (analysis::findFormat(analysis::name(row)) != nullptr) {
            return fail(fmt::format("the format {} is built in already", analysis::name(row)),
                        (folder / "format.json").string(), "Give it another name, or leave the file out.");
        }
    }
    return analysis::FormatBook(std::move(rows));
}

}  // namespace

bool Recipe::usesDeviceList() const {
    return std::ranges::any_of(*files, [](const RecipeFile& file) {
        return file.bytes.find("DLPERF_DEVICE_LIST") != std::string::npos;
    });
}

std::string firstNodeLauncher(const Recipe& recipe, const OptionValues& options) {
    for (const RecipeOption& option : recipe.options) {
        const auto chosen = options.find(option.name);
        const std::string& value = chosen == options.end() ? option.defaultValue : chosen->second;
        if (std::ranges::find(option.firstNode, value) != option.firstNode.end()) {
            return value;
        }
    }
    return {};
}

StartOn startOf(const Recipe& recipe, const OptionValues& options) {
    return firstNodeLauncher(recipe, options).empty() ? recipe.start : StartOn::FirstNode;
}

bool allows(const RecipeOption& option, const std::string& value) {
    const bool isChoice =
        option.choices.empty() || std::ranges::find(option.choices, value) != option.choices.end();
    const std::optional<int> number = numberIn<int>(value);
    const bool isLeftOut = value.empty() && option.defaultValue.empty();
    return isChoice && (option.multipleOf == 0 || isLeftOut ||
                        (number && *number > 0 && *number % option.multipleOf == 0));
}

Result<Recipe> readRecipe(const fs::path& folder) {
    const fs::path path = folder / "recipe.json";
    const auto description = TRY(readDescription(path));
    const auto json = TRY(parseJson(description.json.dump(), path.string()));
    auto recipe = TRY(recipeFromJson(json, path.string(), folder));
    if (!isPlainName(recipe.name)) {
        return fail(fmt::format("\"{}\" is no name for a recipe", refusedName(recipe.name)), folder.string(),
                    "Rename the folder: letters, digits, . _ and -.");
    }
    orderAsWritten(recipe.options, description.json);
    recipe.script = TRY(readFile(folder / "launch.sh"));
    if (hasNul(recipe.script)) {
        return fail("is no text: it holds NUL", (folder / "launch.sh").string());
    }
    recipe.files = std::make_shared<const std::vector<RecipeFile>>(TRY(readFiles(folder, description)));
    recipe.formats = TRY(readOwnFormats(folder));
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

fs::path ownRecipes(const fs::path& workspace) {
    return workspace / "recipes";
}

std::vector<fs::path> recipeFolders(const fs::path& resources, const fs::path& workspace) {
    std::vector<fs::path> folders{resources / "recipes"};
    std::error_code error;
    if (!workspace.empty() && fs::is_directory(ownRecipes(workspace), error)) {
        folders.push_back(ownRecipes(workspace));
    }
    return folders;
}

Result<void> writeRecipe(const Recipe& recipe, const fs::path& to) {
    TRY(makeFolders(to));
    for (const RecipeFile& file : *recipe.files) {
        TRY(writeFileAtomically(to / file.name, file.bytes, file.executable ? 0755 : 0644));
    }
    return {};
}

Result<Recipe> addRecipe(const fs::path& folder, const fs::path& resources, const fs::path& workspace) {
    std::error_code error;
    if (!fs::exists(folder / "recipe.json", error)) {
        return fail("this folder is no recipe", folder.string(),
                    "Choose the folder that holds recipe.json and launch.sh.");
    }
    auto recipe = TRY(readRecipe(folder));
    if (fs::exists(resources / "recipes" / recipe.name, error)) {
        return fail("a recipe of this name comes with the program", folder.string(),
                    "Give the folder another name.");
    }
    const fs::path to = ownRecipes(workspace) / recipe.name;
    if (!fs::equivalent(folder, to, error)) {
        TRY(writeRecipe(recipe, to));
        for (const fs::path& file : entriesOf(to)) {  // of the one before; not before the new one is there
            if (std::ranges::find(*recipe.files, file.filename().string(), &RecipeFile::name) ==
                recipe.files->end()) {
                fs::remove_all(file, error);
            }
        }
    }
    return recipe;
}

}  // namespace dlperf::launch
