// SPDX-License-Identifier: Apache-2.0
#include "core/launch/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/analysis/format_row.h"
#include "core/base/text.h"
#include "core/launch/plan_nodes.h"

namespace dlperf::launch {
namespace {

using NodeList = std::vector<const cluster::Node*>;

// Variables that are known to change figures, by their own documents: of NCCL's algorithms and transports, of
// CUDA, of threads, of XLA, MXNet, Horovod and Paddle. Where a node sets one it is part of the case.
constexpr auto tuningVariables = std::to_array<std::string_view>({"NCCL_ALGO",
                                                                  "NCCL_PROTO",
                                                                  "NCCL_NTHREADS",
                                                                  "NCCL_MIN_NCHANNELS",
                                                                  "NCCL_MAX_NCHANNELS",
                                                                  "NCCL_BUFFSIZE",
                                                                  "NCCL_P2P_DISABLE",
                                                                  "NCCL_P2P_LEVEL",
                                                                  "NCCL_SHM_DISABLE",
                                                                  "NCCL_IB_DISABLE",
                                                                  "NCCL_NET_GDR_LEVEL",
                                                                  "NVIDIA_TF32_OVERRIDE",
                                                                  "CUDA_LAUNCH_BLOCKING",
                                                                  "OMP_NUM_THREADS",
                                                                  "MKL_NUM_THREADS",
                                                                  "XLA_FLAGS",
                                                                  "TF_XLA_FLAGS",
                                                                  "TF_ENABLE_AUTO_MIXED_PRECISION",
                                                                  "MXNET_CUDNN_AUTOTUNE_DEFAULT",
                                                                  "HOROVOD_FUSION_THRESHOLD",
                                                                  "HOROVOD_CYCLE_TIME",
                                                                  "HOROVOD_HIERARCHICAL_ALLREDUCE",
                                                                  "FLAGS_cudnn_exhaustive_search",
                                                                  "FLAGS_fuse_parameter_memory_size"});

// One combination of the values that a plan gives a recipe.
struct ChosenSettings {
    OptionValues options;  // with the recipe's defaults
    std::map<std::string, std::string> env;
    std::vector<std::shared_ptr<const cluster::RecipeNeeds>> needs;  // by node
};

// One recipe of the plan with all that does not change from case to case.
struct ChosenRecipe {
    const Recipe* recipe = nullptr;
    std::vector<ChosenSettings> settings;
    MeasurementRange range;
    std::string measured;
    std::string formatRow;
    std::string framework;  // vocabulary ids
    std::string implementation;
    std::string model;
};

std::string optionsRemedy(const Recipe& recipe) {
    return fmt::format("`dlperf recipes {}` lists the options; check the spelling.", recipe.name);
}

Result<OptionValues> optionValues(const Recipe& recipe, const Plan& plan, const OptionValues& chosen) {
    OptionValues values;
    for (const RecipeOption& option : recipe.options) {
        values[option.name] = option.defaultValue;
    }
    for (const auto& [name, value] : chosen) {
        if (!values.contains(name)) {
            return fail(fmt::format("recipe {} has no option \"{}\"", recipe.name, cleanUtf8(name)),
                        plan.name, optionsRemedy(recipe));
        }
        values[name] = value;
    }
    for (const RecipeOption& option : recipe.options) {
        const std::string& value = values[option.name];
        if (allows(option, value)) {
            continue;
        }
        if (option.multipleOf > 0) {
            return fail(fmt::format("option \"{}\" of recipe {} must be a multiple of {}, not \"{}\"",
                                    option.name, recipe.name, option.multipleOf, cleanUtf8(value)),
                        plan.name, "Correct it.");
        }
        return fail(fmt::format("option \"{}\" of recipe {} is none of its choices: {}", option.name,
                                recipe.name, join(option.choices, ", ")),
                    plan.name, "Correct it.");
    }
    return values;
}

// Null if none does.
const RecipeOption* optionThatSets(const Recipe& recipe, const std::string& variable) {
    const auto found = std::ranges::find(recipe.options, variable, &RecipeOption::variable);
    return found == recipe.options.end() ? nullptr : &*found;
}

// Several values of one name have to be told apart by the case, and to reach the trainer.
Result<void> checkSweeps(const Recipe& recipe, const Plan& plan, const NodeList& nodes) {
    const auto refuseOnNodes = [&](const std::string& name, const std::string& variable) -> Result<void> {
        for (const cluster::Node* node : nodes) {
            if (node->env.contains(variable)) {
                return fail(fmt::format("the plan sets \"{}\", and node {} sets {} over it", name, node->name,
                                        variable),
                            plan.name, "Remove it from the node's env, or from the plan.");
            }
        }
        return {};
    };
    for (const auto& [variable, values] : plan.env) {
        if (values.size() > 1 &&
            std::ranges::find(recipe.options, variable, &RecipeOption::name) != recipe.options.end()) {
            return fail(fmt::format("the variable {} is called as an option of recipe {} is, so that their "
                                    "cases could not be told apart",
                                    variable, recipe.name),
                        plan.name, "Set the option, under \"options\".");
        }
    }
    const auto options = plan.options.find(recipe.name);
    const Sweep sweep = options == plan.options.end() ? Sweep() : options->second;
    for (const RecipeOption& option : recipe.options) {
        const auto values = sweep.find(option.name);
        const bool isSearched = plan.search && plan.search->option == option.name;
        if (!isSearched && (values == sweep.end() || values->second.size() < 2)) {
            continue;
        }
        if (!option.affectsResult) {
            return fail(
                fmt::format("option \"{}\" of recipe {} is no part of the case, so that several values "
                            "could not be told apart",
                            option.name, recipe.name),
                plan.name, isSearched ? "Search another option." : "Give it one value.");
        }
        TRY(refuseOnNodes(option.name, optionVariable(option.name)));
    }
    for (const auto& [name, values] : plan.env) {
        if (const RecipeOption* option = optionThatSets(recipe, name)) {
            return fail(
                fmt::format("the plan sets {}, and recipe {} sets it over that from its option \"{}\"", name,
                            recipe.name, option->name),
                plan.name, fmt::format("Set the option \"{}\" instead.", option->name));
        }
        TRY(refuseOnNodes(name, name));
    }
    return {};
}

// What recipe or trainer set in any case would be a value in the case's name that nobody tried.
Result<void> checkVariables(const Recipe& recipe, const Plan& plan, const NodeList& nodes) {
    const auto check = [&](const std::string& name, const std::string& who) -> Result<void> {
        if (std::ranges::find(recipe.setByTrainer, name) != recipe.setByTrainer.end()) {
            return fail(fmt::format("{} sets {}, and the trainer of recipe {} sets it over that", who, name,
                                    recipe.name),
                        plan.name, fmt::format("Remove it from \"env\" of {}.", who));
        }
        if (name == "CUDA_VISIBLE_DEVICES" && recipe.usesDeviceList()) {
            return fail(
                fmt::format("{} sets {}, and recipe {} sets it over that from the devices of each node", who,
                            name, recipe.name),
                plan.name,
                "Name the devices under \"device_list\" of the nodes instead, and how many under "
                "\"topologies\" of the plan.");
        }
        return {};
    };
    for (const auto& [name, values] : plan.env) {
        TRY(check(name, "the plan"));
    }
    for (const cluster::Node* node : nodes) {
        for (const auto& [name, value] : node->env) {
            TRY(check(name, "node " + node->name));
        }
    }
    return {};
}

// A search counts on from the option's value.
Result<void> checkSearchedOption(const Recipe& recipe, const Plan& plan, const OptionValues& values) {
    if (!plan.search || plan.search->option.empty()) {
        return {};
    }
    const Search& search = *plan.search;
    const auto option = std::ranges::find(recipe.options, search.option, &RecipeOption::name);
    if (option == recipe.options.end()) {
        return fail(fmt::format("recipe {} has no option \"{}\", which is to be searched", recipe.name,
                                cleanUtf8(search.option)),
                    plan.name, optionsRemedy(recipe));
    }
    const int step = std::max(option->multipleOf, 1);
    if (!option->choices.empty() || search.multipleOf % step != 0) {
        return fail(
            option->choices.empty()
                ? fmt::format("option \"{}\" of recipe {} must be a multiple of {}, as its search is not",
                              search.option, recipe.name, step)
                : fmt::format("option \"{}\" of recipe {} has choices, and no numbers to search",
                              search.option, recipe.name),
            plan.name, "Set \"multiple_of\" of the search, or search another option.");
    }
    const std::string& begin = values.at(search.option);
    const int first = toInt(begin).value_or(0);
    if (first < 1 || first > search.most || first % search.multipleOf != 0) {
        return fail(
            fmt::format("the search of option \"{}\" of recipe {} begins at \"{}\", which is no multiple "
                        "of {} from 1 to {}",
                        search.option, recipe.name, cleanUtf8(begin), search.multipleOf, search.most),
            plan.name, "Give the option one such value under \"options\".");
    }
    return {};
}

// The recipe's own format goes before the workspace's and the built-in ones.
Result<const analysis::Format*> formatOf(const Recipe& recipe, const analysis::FormatBook& formats) {
    const analysis::Format* own = recipe.formats.find(recipe.format);
    const analysis::Format* format = own != nullptr ? own : formats.find(recipe.format);
    if (format == nullptr) {
        return fail(fmt::format("recipe {} writes the log format \"{}\", which is not known", recipe.name,
                                cleanUtf8(recipe.format)),
                    recipe.folder.string(),
                    "`dlperf formats` lists those that recipes can use; format.json in its folder adds one.");
    }
    return format;
}

Result<MeasurementRange> rangeOf(const Plan& plan, const Recipe& recipe, const analysis::Format& format) {
    const MeasurementRange usual = analysis::defaultRange(format);
    const MeasurementRange range{plan.warmup.value_or(usual.warmup), plan.train.value_or(usual.train)};
    if (range.warmup >= range.train) {
        return fail(fmt::format("warmup {} is not less than train {} for recipe {}", range.warmup,
                                range.train, recipe.name),
                    plan.name, "Set both \"warmup\" and \"train\".");
    }
    return range;
}

Result<ChosenRecipe> chooseRecipe(const std::string& name, const Plan& plan, const NodeList& nodes,
                                  const RecipeBook& recipes, const Vocabulary& vocabulary,
                                  const analysis::FormatBook& formats, PlanIs age) {
    const Recipe* recipe = TRY(findRecipe(recipes, name, plan.name));
    TRY(checkSweeps(*recipe, plan, nodes));
    if (age == PlanIs::New) {
        TRY(checkVariables(*recipe, plan, nodes));
    }
    const analysis::Format* format = TRY(formatOf(*recipe, formats));
    const auto range = TRY(rangeOf(plan, *recipe, *format));
    std::vector<ChosenSettings> all;
    for (CaseSettings& settings : settingsOf(plan, name)) {
        ChosenSettings one{TRY(optionValues(*recipe, plan, settings.options)), std::move(settings.env), {}};
        TRY(checkSearchedOption(*recipe, plan, one.options));
        std::ranges::transform(nodes, std::back_inserter(one.needs), [&](const cluster::Node* node) {
            return std::make_shared<const cluster::RecipeNeeds>(needsOf(*recipe, one.options, *node));
        });
        all.push_back(std::move(one));
    }
    ChosenRecipe chosen{recipe,
                        std::move(all),
                        range,
                        measuredIterations(*format, range),
                        analysis::findFormat(recipe->format) == format ? "" : format->written,
                        vocabulary.id(WordKind::Framework, recipe->framework),
                        vocabulary.id(WordKind::Implementation, recipe->implementation),
                        vocabulary.id(WordKind::Model, recipe->model)};
    // The model leads DLPerf's log name, whose fields are cut at underscores.
    if (!isPlainName(chosen.model) || chosen.model.find('_') != std::string::npos) {
        return fail(fmt::format("the model \"{}\" cannot lead a log's name", cleanUtf8(chosen.model)),
                    recipe->folder.string(), "Use letters, digits, . and - only.");
    }
    return chosen;
}

// The options that change the figure and are not at their defaults, and the plan's variables; node 0 has the
// last word on their values.
Variant variantOf(const Recipe& recipe, const ChosenSettings& chosen, const cluster::Node& first) {
    Variant variant = chosen.env;
    for (const auto& [name, value] : first.env) {
        if (std::ranges::find(tuningVariables, name) != tuningVariables.end() &&
            optionThatSets(recipe, name) == nullptr) {
            variant[name] = value;
        }
    }
    for (const RecipeOption& option : recipe.options) {
        const auto onNode = first.env.find(optionVariable(option.name));
        const std::string& value =
            onNode == first.env.end() ? chosen.options.at(option.name) : onNode->second;
        if (option.affectsResult && value != option.defaultValue) {
            variant[option.name] = value;
        }
    }
    return variant;
}

Variant defaultsOf(const Recipe& recipe) {
    Variant defaults;
    for (const RecipeOption& option : recipe.options) {
        if (option.affectsResult) {
            defaults[option.name] = option.defaultValue;
        }
    }
    return defaults;
}

// An option whose value makes no difference with those of others, so that the case would be another one under
// a second name; empty if there is none.
std::string optionWithoutEffect(const Recipe& recipe, const OptionValues& values) {
    for (const RecipeOption& option : recipe.options) {
        if (values.at(option.name) == option.defaultValue) {
            continue;
        }
        for (const auto& [other, needed] : option.onlyWith) {
            if (std::ranges::find(needed, values.at(other)) == needed.end()) {
                return fmt::format("option \"{}\" of {} has no effect with {} \"{}\", only with {}",
                                   option.name, recipe.name, other, cleanUtf8(values.at(other)),
                                   join(needed, ", "));
            }
        }
    }
    return {};
}

// Whether the trainer reads what the node list says of its data.
bool readsDataDir(const PlannedRun& run) {
    const auto& needs = run.nodes.front().needs;
    return needs && needs->data ? cluster::readsDataDir(*needs)
                                : run.script.find("DLPERF_DATA_DIR") != std::string::npos;
}

// How the node list calls a variable that a launcher on the first node hands to all nodes; empty for what it
// does not, and for what makes no difference.
std::string_view handedAs(std::string_view variable, const PlannedRun& run) {
    constexpr auto fields = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"DLPERF_DEVICE_LIST", "device_list"}, {"DLPERF_INTERFACE", "interface"}, {"DLPERF_RDMA", "rdma"}});
    const auto field =
        std::ranges::find(fields, variable, &std::pair<std::string_view, std::string_view>::first);
    if (field != fields.end()) {
        return field->second;
    }
    if (variable == "DLPERF_DATA_DIR") {
        return readsDataDir(run) ? "data_dir" : "";
    }
    return variable.starts_with("DLPERF_") && !variable.starts_with("DLPERF_OPT_") ? "" : variable;
}

// What a launcher on the first node would hand to another one, which has its own; empty if there is none.
std::string lostByTheOthers(const PlannedRun& run, const NodeList& nodes) {
    const NodeLaunch& first = run.nodes.front();
    const auto lost = [&](const NodeLaunch& node, std::string_view field, const std::string& given,
                          const std::string& own) {
        return fmt::format(
            "the processes of all nodes are started from node {} and get its {} \"{}\", "
            "but node {} has \"{}\"",
            first.node, field, given, node.node, own);
    };
    for (std::size_t rank = 1; rank < run.nodes.size(); ++rank) {
        const NodeLaunch& node = run.nodes[rank];
        if (node.startsScript) {
            continue;
        }
        if (!node.setup.empty() && node.setup != first.setup) {
            return fmt::format(
                "the processes of all nodes are started from node {}, so that nothing runs the "
                "setup of node {}, which is another",
                first.node, node.node);
        }
        if (const std::string& given = nodes[0]->runsIn(), &own = nodes[rank]->runsIn(); given != own) {
            return lost(node, "work_dir", given, own);
        }
        auto all = first.environment;  // by its names
        all.insert(node.environment.begin(), node.environment.end());
        const auto valueOn = [](const NodeLaunch& one, const std::string& variable) {
            const auto value = one.environment.find(variable);
            return value == one.environment.end() ? std::string() : value->second;
        };
        for (const auto& entry : all) {
            const std::string_view field = handedAs(entry.first, run);
            const std::string given = valueOn(first, entry.first);
            const std::string own = valueOn(node, entry.first);
            if (!field.empty() && own != given) {
                return lost(node, field, given, own);
            }
        }
    }
    return {};
}

// Why this cluster or recipe cannot run the case; empty if it can.
std::string obstacle(const Case& c, const Recipe& recipe, const NodeList& nodes) {
    if (static_cast<std::size_t>(c.topology.nodes) > nodes.size()) {
        return fmt::format("{} needs {} nodes, there are {}", toString(c.topology), c.topology.nodes,
                           nodes.size());
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.topology.nodes); ++i) {
        if (nodes[i]->devices && *nodes[i]->devices < c.topology.devices) {
            return fmt::format("{} needs {} devices on each node, {} has {}", toString(c.topology),
                               c.topology.devices, nodes[i]->name, *nodes[i]->devices);
        }
    }
    const auto has = [](const std::vector<std::string>& list, const std::string& item) {
        return std::find(list.begin(), list.end(), item) != list.end();
    };
    if (!has(recipe.precisions, c.configuration.precision)) {
        return fmt::format("{} does not train in {}", recipe.name, c.configuration.precision);
    }
    for (const std::string& feature : c.configuration.features) {
        if (!has(recipe.features, feature)) {
            return fmt::format("{} has no feature {}", recipe.name, feature);
        }
    }
    return {};
}

class Builder {
public:
    Builder(const Plan& plan, NodeList nodes, PlanIs age)
        : plan_(plan), nodes_(std::move(nodes)), age_(age) {}

    void addRecipe(const ChosenRecipe& chosen) {
        for (const auto& features : plan_.features) {
            for (const std::string& precision : plan_.precisions) {
                const std::size_t sizes = batchSizesOf(plan_, {}).size();
                for (std::size_t size = 0; size < sizes; ++size) {
                    for (const ChosenSettings& settings : chosen.settings) {
                        for (const Topology& topology : plan_.topologies) {
                            addCase(
                                chosen, settings,
                                Case{Configuration{chosen.recipe->name, chosen.framework,
                                                   chosen.implementation, chosen.model, precision, features,
                                                   variantOf(*chosen.recipe, settings, *nodes_.front()),
                                                   batchSizesOf(plan_, topology)[size]},
                                     topology});
                        }
                    }
                }
            }
        }
    }

    PreparedPlan take() { return std::move(prepared_); }

private:
    // 0 for a case that the plan's "only" leaves out.
    int repetitionsOf(const Case& wanted) const {
        if (plan_.only.empty()) {
            return plan_.repetitions;
        }
        const auto found =
            std::ranges::find_if(plan_.only, [&](const PlannedCase& one) { return isOf(one, wanted); });
        return found == plan_.only.end() ? 0 : found->repetitions;
    }

    void addCase(const ChosenRecipe& chosen, const ChosenSettings& settings, Case wanted) {
        const Recipe& recipe = *chosen.recipe;
        PlannedRun run;
        const int repetitions = repetitionsOf(wanted);
        if (repetitions == 0) {
            return;
        }
        run.benchmarkCase = std::move(wanted);
        if (skip(recipe, obstacle(run.benchmarkCase, recipe, nodes_)) ||
            skip(recipe, optionWithoutEffect(recipe, settings.options))) {
            return;
        }
        run.defaults = defaultsOf(recipe);
        run.range = chosen.range;
        run.measured = chosen.measured;
        run.recipe = recipe.name;
        run.recipeTitle = recipe.title;
        run.format = recipe.format;
        run.unit = recipe.unit;
        run.stop = recipe.stop;
        run.formatRow = chosen.formatRow;
        run.neededPackages = recipe.neededPackages;
        run.script = recipe.script;
        run.usesWorker = recipe.usesWorker();
        run.logFile = recipe.logFile;
        run.settlesAfterRange = recipe.settlesAfterRange;
        run.files = recipe.usesFolder() ? recipe.files : nullptr;
        const NodeList used(nodes_.begin(), nodes_.begin() + run.benchmarkCase.topology.nodes);
        run.nodes = nodeLaunches(run, recipe, settings.options, used);
        for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
            run.nodes[rank].needs = settings.needs[rank];
            for (const auto& [name, value] : settings.env) {
                run.nodes[rank].environment[name] = value;  // over the node's interface, if it is that
            }
        }
        if (age_ == PlanIs::New && skip(recipe, lostByTheOthers(run, used))) {
            return;
        }
        for (run.repetition = 1; run.repetition <= repetitions; ++run.repetition) {
            prepared_.runs.push_back(run);
        }
    }

    // Whether there is a reason to.
    bool skip(const Recipe& recipe, std::string why) {
        if (why.empty()) {
            return false;
        }
        Error skipped{std::move(why), recipe.name, "Change the plan, or the cluster.", ErrorKind::Input};
        const auto isSame = [&](const Error& one) {
            return one.what == skipped.what && one.where == skipped.where;
        };
        if (std::ranges::none_of(prepared_.skipped, isSame)) {
            prepared_.skipped.push_back(std::move(skipped));
        }
        return true;
    }

    const Plan& plan_;
    NodeList nodes_;
    PlanIs age_;
    PreparedPlan prepared_;
};

}  // namespace

Result<PreparedPlan> prepare(const Plan& plan, const cluster::Cluster& cluster, const RecipeBook& recipes,
                             const Vocabulary& vocabulary, const analysis::FormatBook& formats, PlanIs age) {
    const auto nodes = TRY(chosenNodes(plan, cluster));
    if (nodes.empty()) {
        return fail("the cluster has no nodes", cluster.name, "Add a node.");
    }
    Builder builder(plan, nodes, age);
    for (const std::string& name : plan.recipes) {
        const auto chosen = TRY(chooseRecipe(name, plan, nodes, recipes, vocabulary, formats, age));
        builder.addRecipe(chosen);
    }
    PreparedPlan prepared = builder.take();
    if (prepared.runs.empty()) {
        return prepared.skipped.empty() ? fail("the plan has no runs", plan.name)
                                        : Failure(prepared.skipped.front());
    }
    return prepared;
}

namespace {

// Of what a plan gives several values, the one that the variant has; none where it has the default.
void choose(Sweep& sweep, const Variant& variant) {
    for (auto entry = sweep.begin(); entry != sweep.end();) {
        const auto chosen = variant.find(entry->first);
        if (chosen != variant.end()) {
            entry->second = {chosen->second};
        }
        entry = chosen == variant.end() && entry->second.size() > 1 ? sweep.erase(entry) : std::next(entry);
    }
}

Plan planOf(Plan plan, const Case& wanted) {
    const Configuration& configuration = wanted.configuration;
    plan.recipes = {configuration.recipe};
    plan.topologies = {wanted.topology};
    plan.batchSizes = {configuration.batchSize};
    plan.globalBatchSizes.clear();
    plan.precisions = {configuration.precision};
    plan.features = {configuration.features};
    plan.repetitions = 1;
    plan.only.clear();
    if (plan.search && !plan.search->option.empty()) {  // whatever it began with
        const auto tried = configuration.variant.find(plan.search->option);
        Sweep& options = plan.options[configuration.recipe];
        options.erase(plan.search->option);
        if (tried != configuration.variant.end()) {
            options[tried->first] = {tried->second};
        }
    }
    plan.search.reset();
    plan.until.reset();
    choose(plan.options[configuration.recipe], configuration.variant);
    choose(plan.env, configuration.variant);
    return plan;
}

}  // namespace

Result<PlannedRun> prepareCase(const Plan& plan, const Case& wanted, const cluster::Cluster& cluster,
                               const RecipeBook& recipes, const Vocabulary& vocabulary,
                               const analysis::FormatBook& formats) {
    auto prepared = TRY(prepare(planOf(plan, wanted), cluster, recipes, vocabulary, formats, PlanIs::Begun));
    const auto planned = std::ranges::find(prepared.runs, wanted, &PlannedRun::benchmarkCase);
    if (planned == prepared.runs.end()) {
        return fail("the plan has no such run", plan.name);
    }
    return std::move(*planned);
}

}  // namespace dlperf::launch
