// SPDX-License-Identifier: Apache-2.0
#include "core/launch/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/base/text.h"

namespace dlperf::launch {
namespace {

constexpr int mostIterations = 100'000'000;
constexpr int mostSeconds = 30 * 24 * 3600;
constexpr std::size_t mostRuns = 10'000;

// Words that become parts of folder names.
void checkNames(JsonReader& reader, const char* field, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (!isPlainName(name)) {
            reader.addError(fmt::format("\"{}\" holds \"{}\", which is no name", field, refusedName(name)),
                            "Use letters, digits, . _ and -, starting with a letter or a digit.");
        }
    }
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) {
        reader.addError(fmt::format("\"{}\" names something twice", field), "Name each once.");
    }
}

std::vector<Topology> readTopologies(JsonReader& reader) {
    std::vector<Topology> topologies;
    for (const std::string& text : reader.texts("topologies")) {
        const auto topology = parseTopology(text);
        if (!topology) {
            reader.addError(fmt::format("\"{}\" is no topology", cleanUtf8(text)),
                            "Write nodes and devices per node, as in \"2n8g\".");
        } else if (std::ranges::find(topologies, *topology) != topologies.end()) {
            reader.addError(fmt::format("\"topologies\" names {} twice", text), "Name each once.");
        } else {
            topologies.push_back(*topology);
        }
    }
    return topologies;
}

std::vector<std::vector<std::string>> readFeatures(JsonReader& reader) {
    const Json& lists = reader.member("features");
    if (lists.is_null()) {
        return {{}};
    }
    std::vector<std::vector<std::string>> features;
    const auto isText = [](const Json& item) { return item.is_string(); };
    for (const Json& list : lists) {
        if (!list.is_array() || !std::all_of(list.begin(), list.end(), isText)) {
            reader.addError("\"features\" must be a list of lists of texts", "Write [[]] for none.");
            return {{}};
        }
        features.push_back(list.get<std::vector<std::string>>());
        std::sort(features.back().begin(), features.back().end());
        checkNames(reader, "features", features.back());
        if (std::count(features.begin(), features.end(), features.back()) > 1) {
            reader.addError("\"features\" holds a list twice", "Its cases would be one: leave one out.");
        }
    }
    if (!lists.is_array() || features.empty()) {
        reader.addError("\"features\" must be a list of lists of texts", "Write [[]] for none.");
    }
    return features;
}

// A text, or a list of them.
std::vector<std::string> readValues(JsonReader& reader, const std::string& what, const Json& given) {
    std::vector<std::string> values;
    const Json list = given.is_array() ? given : Json::array({given});
    for (const Json& json : list) {
        const auto* value = json.get_ptr<const std::string*>();
        if (value == nullptr || hasNul(*value)) {
            reader.addError(what + " must be a text without NUL, or a list of such texts",
                            "Put numbers between quotes.");
        } else if (std::ranges::find(values, *value) != values.end()) {
            reader.addError(fmt::format("{} names \"{}\" twice", what, refusedName(*value)),
                            "Name each value once.");
        } else {
            values.push_back(*value);
        }
    }
    if (list.empty()) {
        reader.addError(what + " has no value", "Remove it, or list at least one.");
    }
    return values;
}

Sweep readEnv(JsonReader& reader) {
    Sweep variables;
    const Json& env = reader.member("env");
    if (!env.is_null() && !env.is_object()) {
        reader.addError("\"env\" must be an object: variable, value");
        return variables;
    }
    for (const auto& [name, value] : env.items()) {
        const std::string what = fmt::format("\"env\": {}", refusedName(name));
        const bool isOurs = name.starts_with("DLPERF_") && name != "DLPERF_INTERFACE";
        if (!isVariableName(name) || isOurs) {
            reader.addError(what + " is no variable that a plan may set",
                            "Use letters, digits and underscores; recipe options stand under \"options\".");
        }
        variables[name] = readValues(reader, what, value);
    }
    return variables;
}

std::map<std::string, Sweep> readOptions(JsonReader& reader) {
    std::map<std::string, Sweep> options;
    const Json& recipes = reader.member("options");
    if (recipes.is_null()) {
        return options;
    }
    if (!recipes.is_object()) {
        reader.addError("\"options\" must be an object: recipe, option, value");
        return options;
    }
    for (const auto& [recipe, values] : recipes.items()) {
        if (!values.is_object()) {
            reader.addError(
                fmt::format("\"options\" of \"{}\" must be an object of texts", cleanUtf8(recipe)));
            continue;
        }
        (void)options[recipe];  // whether the plan has that recipe is looked at later
        for (const auto& [option, value] : values.items()) {
            options[recipe][option] =
                readValues(reader, fmt::format("option \"{}\"", refusedName(option)), value);
        }
    }
    return options;
}

// Of a case without its number: what the plan names twice, or not at all.
auto keyOf(const PlannedCase& one) {
    return std::tie(one.recipe, one.topology, one.batchSize, one.precision, one.features, one.variant);
}

Variant readVariant(JsonReader& reader, const Json& json) {
    const auto isText = [](const Json& value) { return value.is_string(); };
    if (!json.is_object() || !std::ranges::all_of(json, isText)) {
        reader.addError("\"variant\" must be an object of texts");
        return {};
    }
    return json.get<Variant>();
}

PlannedCase readOnlyCase(JsonReader& reader, const Json& json, const std::string& where) {
    JsonReader item(json, where);
    PlannedCase one;
    one.recipe = item.requiredText("recipe");
    const std::string topology = item.requiredText("topology");
    one.topology = parseTopology(topology).value_or(Topology{});
    one.batchSize = item.integer("batch_size", 0, 1, largestBatchSize);
    one.precision = item.text("precision", "fp32");
    one.features = item.texts("features");
    std::ranges::sort(one.features);
    one.repetitions = item.integer("repetitions", 1, 1, 1000);
    if (const Json& variant = item.member("variant"); !variant.is_null()) {
        one.variant = readVariant(item, variant);
    }
    item.refuseOthers(
        {"recipe", "topology", "batch_size", "precision", "features", "variant", "repetitions"});
    if (item.error() != nullptr) {
        reader.addError(fmt::format("\"only\": {}", item.error()->what), item.error()->remedy);
    }
    return one;
}

void readOnly(JsonReader& reader, Plan& plan, const std::string& where) {
    const Json& list = reader.member("only");
    if (list.is_null()) {
        return;
    }
    if (!list.is_array() || list.empty()) {
        reader.addError("\"only\" must be a list of cases", "Leave it out to run the whole product.");
        return;
    }
    const auto has = [](const auto& values, const auto& value) {
        return std::ranges::find(values, value) != values.end();
    };
    for (const Json& json : list) {
        const PlannedCase one = readOnlyCase(reader, json, where);
        if (!has(plan.recipes, one.recipe) || !has(plan.topologies, one.topology) ||
            !has(batchSizesOf(plan, one.topology), one.batchSize) || !has(plan.precisions, one.precision) ||
            !has(plan.features, one.features)) {
            reader.addError("\"only\" names a case that the plan's lists do not give",
                            "Take recipe, topology, batch size, precision and features from the lists.");
        }
        if (std::ranges::any_of(plan.only,
                                [&](const PlannedCase& other) { return keyOf(other) == keyOf(one); })) {
            reader.addError("\"only\" names a case twice", "Say how often under its \"repetitions\".");
        }
        plan.only.push_back(one);
    }
}

// Whether it begins at a number depends on the recipe: see checkSearchedOption() of prepare.cpp.
void checkOptionSearch(JsonReader& reader, const Plan& plan) {
    const auto isSwept = [&](const auto& options) {
        const auto values = options.second.find(plan.search->option);
        return values != options.second.end() && values->second.size() > 1;
    };
    if (plan.repetitions != 1 || plan.until || !plan.only.empty() ||
        std::ranges::any_of(plan.options, isSwept)) {
        reader.addError(
            "\"search\" goes with one value of the option to begin with, without \"repetitions\", \"until\" "
            "or \"only\"",
            "Give it one value under \"options\", or none, and remove the other fields.");
    } else if (plan.search->most % plan.search->multipleOf != 0) {
        reader.addError(
            fmt::format("\"search\": its \"most\" is to be a multiple of {}", plan.search->multipleOf),
            "Correct \"multiple_of\", or \"most\".");
    }
}

// A search has one value to begin with, and runs each once.
void checkSearch(JsonReader& reader, const Plan& plan) {
    if (!plan.search) {
        return;
    }
    if (const std::string& option = plan.search->option; !option.empty()) {
        checkOptionSearch(reader, plan);
        return;
    }
    if (plan.batchSizes.size() != 1 || plan.repetitions != 1 || plan.until || !plan.only.empty()) {
        reader.addError(
            "\"search\" goes with one batch size to begin with, without \"repetitions\", \"until\" or "
            "\"only\"",
            "List one under \"batch_sizes\", and remove the other fields.");
        return;
    }
    const int step = plan.search->multipleOf;
    if (plan.search->most % step != 0 || plan.batchSizes.front() % step != 0) {
        reader.addError(
            fmt::format("\"search\": its \"most\" and the batch size are to be multiples of {}", step),
            "Correct \"multiple_of\", or the other two.");
    } else if (plan.batchSizes.front() > plan.search->most) {
        reader.addError(fmt::format("\"search\": it begins at {}, above its \"most\", {}",
                                    plan.batchSizes.front(), plan.search->most),
                        "Begin with a smaller batch size.");
    }
}

// How many combinations of values there are; bounded, since lists multiply.
std::size_t countValues(const Sweep& sweep) {
    std::size_t count = 1;
    for (const auto& [name, values] : sweep) {
        count = std::min(count * values.size(), mostRuns + 1);
    }
    return count;
}

std::size_t countSettings(const Plan& plan) {
    std::size_t count = 0;
    for (const std::string& recipe : plan.recipes) {
        const auto options = plan.options.find(recipe);
        count += options == plan.options.end() ? 1 : countValues(options->second);
    }
    return count * countValues(plan.env);
}

std::size_t countRuns(const Plan& plan) {
    std::size_t named = 0;
    for (const PlannedCase& one : plan.only) {
        named += static_cast<std::size_t>(one.repetitions) * (one.variant ? 1 : countSettings(plan));
    }
    return named > 0 ? named
                     : countSettings(plan) * plan.topologies.size() *
                           (plan.batchSizes.size() + plan.globalBatchSizes.size()) * plan.precisions.size() *
                           plan.features.size() * static_cast<std::size_t>(plan.repetitions);
}

// Adds each value of each name to what is there, the last name innermost.
void multiply(std::vector<CaseSettings>& settings, const Sweep& sweep,
              std::map<std::string, std::string> CaseSettings::*part) {
    for (const auto& [name, values] : sweep) {
        std::vector<CaseSettings> more;
        for (const CaseSettings& before : settings) {
            for (const std::string& value : values) {
                more.push_back(before);
                (more.back().*part)[name] = value;
            }
        }
        settings = std::move(more);
    }
}

// A single value is written as a text, as most are.
Json toJson(const Sweep& sweep) {
    Json json = Json::object();
    for (const auto& [name, values] : sweep) {
        json[name] = values.size() == 1 ? Json(values.front()) : Json(values);
    }
    return json;
}

// Of strong scaling.
void checkGlobalBatchSizes(JsonReader& reader, const Plan& plan) {
    if (!plan.globalBatchSizes.empty() && !plan.batchSizes.empty()) {
        reader.addError("\"batch_sizes\" and \"global_batch_sizes\" exclude each other",
                        "The first are per device, the others of all devices together: remove one.");
    }
    for (const int size : plan.globalBatchSizes) {
        for (const Topology& topology : plan.topologies) {
            if (size % topology.worldSize() != 0) {
                reader.addError(
                    fmt::format("a global batch size of {} cannot be divided among the {} devices of {}",
                                size, topology.worldSize(), toString(topology)),
                    "Take a multiple of the devices, or leave the topology out.");
            }
        }
    }
}

void checkPlan(JsonReader& reader, const Plan& plan) {
    const std::pair<const char*, bool> needed[] = {
        {"recipes", plan.recipes.empty()},
        {"topologies", plan.topologies.empty()},
        {"batch_sizes", plan.batchSizes.empty() && plan.globalBatchSizes.empty()},
        {"precisions", plan.precisions.empty()}};
    for (const auto& [field, empty] : needed) {
        if (empty) {
            reader.addError(fmt::format("\"{}\" is missing or empty", field),
                            fmt::format("List at least one under \"{}\".", field));
        }
    }
    checkGlobalBatchSizes(reader, plan);
    checkNames(reader, "recipes", plan.recipes);
    checkNames(reader, "precisions", plan.precisions);
    checkNames(reader, "nodes", plan.nodes);
    for (const auto& entry : plan.options) {
        if (std::ranges::find(plan.recipes, entry.first) == plan.recipes.end()) {
            reader.addError(
                fmt::format("\"options\" names \"{}\", which is none of the recipes", cleanUtf8(entry.first)),
                "Check its spelling, or remove it.");
        }
    }
    if (plan.warmup && plan.train && *plan.warmup >= *plan.train) {
        reader.addError(
            fmt::format("\"warmup\" is {} and \"train\" {}: nothing is measured", *plan.warmup, *plan.train),
            "Make train, the number of the last iteration, larger than warmup.");
    }
    const std::size_t runs = countRuns(plan);
    if (runs > mostRuns) {
        reader.addError(fmt::format("the plan has {} runs; at most {} are taken", runs, mostRuns),
                        "Split it.");
    }
    if (plan.until && plan.repetitions > plan.until->most) {
        reader.addError(fmt::format("\"repetitions\" is {}, above the \"most\" of \"until\", {}",
                                    plan.repetitions, plan.until->most),
                        "Correct one of them.");
    }
    checkSearch(reader, plan);
}

}  // namespace

std::vector<int> batchSizesOf(const Plan& plan, const Topology& topology) {
    std::vector<int> sizes = plan.batchSizes;
    for (const int size : plan.globalBatchSizes) {
        sizes.push_back(size / topology.worldSize());
    }
    return sizes;
}

bool isOf(const PlannedCase& planned, const Case& wanted) {
    const Configuration& configuration = wanted.configuration;
    return planned.recipe == configuration.recipe && planned.topology == wanted.topology &&
           planned.batchSize == configuration.batchSize && planned.precision == configuration.precision &&
           planned.features == configuration.features &&
           (!planned.variant || *planned.variant == configuration.variant);
}

std::vector<CaseSettings> settingsOf(const Plan& plan, const std::string& recipe) {
    std::vector<CaseSettings> settings{{}};
    if (const auto options = plan.options.find(recipe); options != plan.options.end()) {
        multiply(settings, options->second, &CaseSettings::options);
    }
    multiply(settings, plan.env, &CaseSettings::env);
    return settings;
}

Result<Plan> planFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Plan plan;
    plan.name = cleanUtf8(reader.text("name"));
    plan.recipes = reader.texts("recipes");
    plan.topologies = readTopologies(reader);
    plan.batchSizes = reader.integers("batch_sizes", 1, largestBatchSize);
    plan.globalBatchSizes = reader.integers("global_batch_sizes", 1, largestBatchSize);
    for (const auto& [field, sizes] : {std::pair("batch_sizes", &plan.batchSizes),
                                       std::pair("global_batch_sizes", &plan.globalBatchSizes)}) {
        if (std::set(sizes->begin(), sizes->end()).size() != sizes->size()) {
            reader.addError(fmt::format("\"{}\" names one twice", field),
                            "Name each once; \"repetitions\" runs it again.");
        }
    }
    plan.precisions = reader.texts("precisions", plan.precisions);
    plan.features = readFeatures(reader);
    plan.nodes = reader.texts("nodes");
    plan.repetitions = reader.integer("repetitions", 1, 1, 1000);
    if (!reader.member("warmup").is_null()) {
        plan.warmup = reader.integer("warmup", 0, 0, mostIterations);
    }
    if (!reader.member("train").is_null()) {
        plan.train = reader.integer("train", 1, 1, mostIterations);
    }
    plan.timeoutSeconds = reader.integer("timeout_s", plan.timeoutSeconds, 1, mostSeconds);
    plan.pauseSeconds = reader.integer("pause_s", plan.pauseSeconds, 0, mostSeconds);
    plan.options = readOptions(reader);
    plan.env = readEnv(reader);
    readOnly(reader, plan, where);
    plan.completesEarlier = reader.flag("completes_earlier", false);
    plan.search = searchFromJson(reader);
    plan.until = repeatUntilFromJson(reader);
    reader.refuseOthers({"name", "recipes", "topologies", "batch_sizes", "precisions", "features", "nodes",
                         "repetitions", "warmup", "train", "timeout_s", "pause_s", "options", "env", "only",
                         "completes_earlier", "search", "until", "global_batch_sizes"});
    checkPlan(reader, plan);
    return reader.error() == nullptr ? Result<Plan>(std::move(plan)) : Failure(*reader.error());
}

Result<Plan> readPlan(const std::filesystem::path& path) {
    const auto json = TRY(readJsonFile(path));
    auto plan = planFromJson(json, path.string());
    if (plan && plan->name.empty()) {
        plan->name = cleanUtf8(path.stem().string());
    }
    return plan;
}

Json toJson(const Plan& plan) {
    Json topologies = Json::array();
    for (const Topology& topology : plan.topologies) {
        topologies.push_back(toString(topology));
    }
    Json json{{"name", plan.name},
              {"recipes", plan.recipes},
              {"topologies", topologies},
              {"precisions", plan.precisions},
              {"features", plan.features},
              {"nodes", plan.nodes},
              {"repetitions", plan.repetitions},
              {"timeout_s", plan.timeoutSeconds},
              {"pause_s", plan.pauseSeconds},
              {"options", Json::object()}};
    if (!plan.globalBatchSizes.empty()) {
        json["global_batch_sizes"] = plan.globalBatchSizes;
    }
    if (!plan.batchSizes.empty() || plan.globalBatchSizes.empty()) {
        json["batch_sizes"] = plan.batchSizes;
    }
    for (const auto& [recipe, values] : plan.options) {
        json["options"][recipe] = toJson(values);
    }
    if (!plan.env.empty()) {
        json["env"] = toJson(plan.env);
    }
    if (plan.warmup) {
        json["warmup"] = *plan.warmup;
    }
    if (plan.train) {
        json["train"] = *plan.train;
    }
    for (const PlannedCase& one : plan.only) {
        json["only"].push_back({{"recipe", one.recipe},
                                {"topology", toString(one.topology)},
                                {"batch_size", one.batchSize},
                                {"precision", one.precision},
                                {"features", one.features},
                                {"repetitions", one.repetitions}});
        if (one.variant) {
            json["only"].back()["variant"] = *one.variant;
        }
    }
    if (plan.completesEarlier) {
        json["completes_earlier"] = true;
    }
    if (plan.search) {
        json["search"] = toJson(*plan.search);
    }
    if (plan.until) {
        json["until"] = toJson(*plan.until);
    }
    return json;
}

}  // namespace dlperf::launch
