// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>

#include "core/analysis/rank_test.h"
#include "core/model/campaign.h"
#include "core/report/busy_processors.h"
#include "core/report/numbers.h"
#include "core/report/series_title.h"
#include "core/store/run_record.h"

namespace dlperf::tuning {
namespace {

constexpr double leastShare = 0.01;  // of the ideal, that is worth an experiment
constexpr std::size_t mostPerCause = 3;
constexpr int repetitions = 5;  // of each case: 5 against 5 can show p = 0.008

// One setting, before and after; values of a feature and a batch size are theirs.
struct Change {
    enum class Of { Option, Variable, Feature, BatchSize } of = Of::Option;
    std::string name;
    std::string before;
    std::string after;
};

std::optional<int> positive(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value > 0 ? std::optional(value)
                                                                                 : std::nullopt;
}

const launch::RecipeOption* optionOf(const launch::Recipe& recipe, const std::string& name) {
    const auto option = std::ranges::find(recipe.options, name, &launch::RecipeOption::name);
    return option == recipe.options.end() ? nullptr : &*option;
}

// What the option had in these runs.
std::string valueOf(const launch::RecipeOption& option, const Configuration& configuration) {
    const auto value = configuration.variant.find(option.name);
    return value == configuration.variant.end() ? option.defaultValue : value->second;
}

std::optional<Change> optionChange(const ExperimentRow& row, const launch::Recipe& recipe,
                                   const Configuration& configuration) {
    for (const auto& [name, wanted] : row.options) {
        const launch::RecipeOption* option = optionOf(recipe, name);
        if (option == nullptr || !option->affectsResult) {
            continue;
        }
        const std::string before = valueOf(*option, configuration);
        const auto number = positive(before);
        const std::string after = wanted != "x2" ? wanted : number ? std::to_string(*number * 2) : before;
        if (after != before && launch::allows(*option, after)) {
            return Change{Change::Of::Option, name, before, after};
        }
    }
    return std::nullopt;
}

std::optional<Change> variableChange(const ExperimentRow& row, const launch::Recipe& recipe,
                                     const Configuration& configuration) {
    const std::string& name = row.env.begin()->first;
    const std::vector<std::string>& values = row.env.begin()->second;
    const bool isOptions = std::ranges::any_of(
        recipe.options, [&](const launch::RecipeOption& option) { return option.variable == name; });
    if (isOptions || configuration.variant.contains(name)) {
        return std::nullopt;  // somebody chose its value already
    }
    return Change{Change::Of::Variable, name, values.front(), values.back()};
}

std::optional<Change> interfaceChange(const Loser& loser) {
    const Variant& variant = loser.benchmarkCase.configuration.variant;
    if (loser.interfaces.size() < 2 || variant.contains("DLPERF_INTERFACE") ||
        variant.contains("NCCL_SOCKET_IFNAME")) {
        return std::nullopt;
    }
    return Change{Change::Of::Variable, "DLPERF_INTERFACE", loser.interfaces[0].name,
                  loser.interfaces[1].name};
}

std::optional<Change> featureChange(const ExperimentRow& row, const launch::Recipe& recipe,
                                    const Configuration& configuration) {
    const auto has = [](const std::vector<std::string>& features, const std::string& feature) {
        return std::ranges::find(features, feature) != features.end();
    };
    for (const std::string& feature : row.features) {
        if (has(configuration.features, feature)) {
            return std::nullopt;
        }
    }
    const auto offered = std::ranges::find_if(
        row.features, [&](const std::string& feature) { return has(recipe.features, feature); });
    return offered == row.features.end()
               ? std::nullopt
               : std::optional(Change{Change::Of::Feature, *offered, "without", "with"});
}

bool holds(const ExperimentRow& row, const Loser& loser, const launch::Recipe& recipe) {
    const bool when = std::ranges::all_of(row.when, [&](const auto& condition) {
        const launch::RecipeOption* option = optionOf(recipe, condition.first);
        return option != nullptr &&
               std::ranges::find(condition.second, valueOf(*option, loser.benchmarkCase.configuration)) !=
                   condition.second.end();
    });
    return when && (!row.severalNodes || loser.benchmarkCase.topology.nodes > 1) &&
           (!row.gpus || *row.gpus == loser.hasGpus) &&
           (!row.realData || report::dataSource(loser.benchmarkCase.configuration) != "synthetic") &&
           (!row.idleProcessors || loser.hasIdleProcessors);
}

std::string whyOf(const ExperimentRow& row, const Loser& loser) {
    return row.takesOtherInterface && !loser.interfaces[1].isOneNetwork
               ? row.why +
                     " Whether it joins the nodes is not recorded: they try it before the trainers start."
               : row.why;
}

std::optional<Change> changeOf(const ExperimentRow& row, const launch::Recipe& recipe, const Loser& loser) {
    const Configuration& configuration = loser.benchmarkCase.configuration;
    if (!row.options.empty()) {
        return optionChange(row, recipe, configuration);
    }
    if (!row.env.empty()) {
        return variableChange(row, recipe, configuration);
    }
    if (!row.features.empty()) {
        return featureChange(row, recipe, configuration);
    }
    if (row.takesOtherInterface) {
        return interfaceChange(loser);
    }
    return Change{Change::Of::BatchSize, "batch size", std::to_string(configuration.batchSize),
                  std::to_string(configuration.batchSize * 2)};
}

void setVariant(Variant& variant, const launch::Recipe& recipe, const Change& change,
                const std::string& value) {
    const launch::RecipeOption* option =
        change.of == Change::Of::Option ? optionOf(recipe, change.name) : nullptr;
    if (option != nullptr && value == option->defaultValue) {
        variant.erase(change.name);
    } else {
        variant[change.name] = value;
    }
}

// The configurations of both cases, as results will have them.
std::pair<Configuration, Configuration> bothOf(const Configuration& configuration,
                                               const launch::Recipe& recipe, const Change& change) {
    Configuration before = configuration;
    Configuration after = configuration;
    switch (change.of) {
        case Change::Of::Option:
        case Change::Of::Variable:
            setVariant(before.variant, recipe, change, change.before);
            setVariant(after.variant, recipe, change, change.after);
            break;
        case Change::Of::Feature:
            after.features.push_back(change.name);
            std::ranges::sort(after.features);
            break;
        case Change::Of::BatchSize:
            after.batchSize *= 2;
            break;
    }
    return {before, after};
}

// What of the campaign's plan led to this configuration: one value of everything.
launch::Plan planFor(const Experiment& experiment, const launch::Recipe& recipe, const launch::Plan& own) {
    const Configuration& before = experiment.before.configuration;
    launch::Plan plan;
    plan.name = fmt::format("{}, {}", experiment.title, toString(experiment.before.topology));
    plan.recipes = {recipe.name};
    plan.topologies = {experiment.before.topology};
    plan.batchSizes = {before.batchSize};
    plan.precisions = {before.precision};
    plan.features = {before.features};
    plan.nodes = own.nodes;
    plan.repetitions = repetitions;
    plan.warmup = own.warmup;
    plan.train = own.train;
    plan.timeoutSeconds = own.timeoutSeconds;
    plan.pauseSeconds = own.pauseSeconds;
    if (const auto options = own.options.find(recipe.name); options != own.options.end()) {
        for (const auto& [name, values] : options->second) {
            const launch::RecipeOption* option = optionOf(recipe, name);
            const bool isOfCase = option != nullptr && option->affectsResult;
            plan.options[recipe.name][name] = {isOfCase ? valueOf(*option, before) : values.front()};
        }
    }
    for (const auto& [name, values] : own.env) {
        const auto value = before.variant.find(name);
        plan.env[name] = {value == before.variant.end() ? values.front() : value->second};
    }
    return plan;
}

void add(const Change& change, const Experiment& experiment, const launch::Recipe& recipe,
         launch::Plan& plan) {
    const std::vector<std::string> values{change.before, change.after};
    switch (change.of) {
        case Change::Of::Option:
            plan.options[recipe.name][change.name] = values;
            break;
        case Change::Of::Variable:
            plan.env[change.name] = values;
            break;
        case Change::Of::Feature:
            plan.features.push_back(experiment.after.configuration.features);
            break;
        case Change::Of::BatchSize:
            plan.batchSizes.push_back(experiment.after.configuration.batchSize);
            break;
    }
}

std::optional<Experiment> experimentOf(const ExperimentRow& row, report::Cause cause, const Loser& loser,
                                       const launch::Recipe& recipe, const launch::Plan& own) {
    if (!holds(row, loser, recipe)) {
        return std::nullopt;
    }
    const auto& [configuration, topology] = loser.benchmarkCase;
    const auto change = changeOf(row, recipe, loser);
    if (!change) {
        return std::nullopt;
    }
    const auto [before, after] = bothOf(configuration, recipe, *change);
    Experiment experiment{.cause = cause,
                          .title = row.title,
                          .why = whyOf(row, loser),
                          .change = fmt::format("{}: {} -> {}", change->name, change->before, change->after),
                          .before = {before, topology},
                          .after = {after, topology},
                          .plan = {}};
    experiment.plan = planFor(experiment, recipe, own);
    add(*change, experiment, recipe, experiment.plan);
    return experiment;
}

// The runs that the loss is known from.
bool hasIdleProcessors(const report::ComparedSeries& series, const Topology& topology,
                       const std::vector<RunResult>& results) {
    std::vector<const RunResult*> runs;
    for (const RunResult& run : results) {
        if (run.benchmarkCase.topology == topology && run.throughput && !run.excluded &&
            report::holds(series, run)) {
            runs.push_back(&run);
        }
    }
    return report::haveIdleProcessors(runs);
}

// As a run of the case recorded them.
std::vector<NetworkInterface> interfacesIn(const store::Workspace& workspace, const Case& benchmarkCase,
                                           const std::vector<RunResult>& results) {
    const auto run = std::ranges::find_if(results, [&](const RunResult& one) {
        return one.benchmarkCase == benchmarkCase && one.origin == Origin::Own && !one.folder.empty();
    });
    const auto record = run == results.end() ? Result<store::RunRecord>(fail(""))
                                             : store::readRunRecord(workspace.root() / run->folder);
    return record ? interfacesOf(report::nodeFacts(record->facts)) : std::vector<NetworkInterface>();
}

}  // namespace

std::vector<Experiment> experimentsFor(const std::vector<report::LossPart>& causes, const Loser& loser,
                                       const launch::Recipe& recipe, const launch::Plan& own,
                                       const std::vector<ExperimentRow>& rows) {
    std::vector<Experiment> experiments;
    std::vector<report::LossPart> parts = causes;
    std::ranges::stable_sort(parts, std::ranges::greater{}, &report::LossPart::share);
    const bool tellsData =
        std::ranges::find(parts, report::Cause::DataLoading, &report::LossPart::cause) != parts.end();
    if (tellsData) {  // what is unknown is something else
        std::erase_if(parts,
                      [](const report::LossPart& part) { return part.cause == report::Cause::Unknown; });
    }
    for (const report::LossPart& part : parts) {
        std::size_t found = 0;
        for (const ExperimentRow& row : rows) {
            const bool isMeant = part.share >= leastShare && found < mostPerCause &&
                                 std::ranges::find(row.causes, part.cause) != row.causes.end();
            const auto experiment =
                isMeant ? experimentOf(row, part.cause, loser, recipe, own) : std::nullopt;
            // The same change helps against one cause at a time.
            if (experiment && std::ranges::find(experiments, experiment->change, &Experiment::change) ==
                                  experiments.end()) {
                experiments.push_back(*experiment);
                ++found;
            }
        }
    }
    return experiments;
}

std::optional<Answer> answerTo(const Experiment& experiment, const std::vector<RunResult>& results,
                               const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    std::map<std::string, std::vector<const RunResult*>, std::greater<>> campaigns;  // the latest first
    for (const RunResult& run : results) {
        if (run.origin == Origin::Own &&
            (run.benchmarkCase == experiment.before || run.benchmarkCase == experiment.after)) {
            campaigns[seriesCampaign(run)].push_back(&run);
        }
    }
    for (const auto& [campaign, runs] : campaigns) {
        const report::Comparison compared = report::compareChosen(runs, vocabulary, formats);
        const report::Cell* before = nullptr;
        const report::Cell* after = nullptr;
        for (const report::ComparedSeries& series : compared.series) {
            (series.key.configuration == experiment.after.configuration ? after : before) =
                &series.cells.front();
        }
        if (before != nullptr && after != nullptr) {
            if (const auto difference = report::differenceOf(*after, *before)) {
                return Answer{*difference, campaign};
            }
        }
    }
    return std::nullopt;
}

std::string answerText(const Answer& answer) {
    const report::Difference& difference = answer.difference;
    const std::string by = report::percent(std::abs(difference.relative));
    const std::string change =
        fmt::format("{}{}", difference.relative < 0 ? "\u2212" : "+", by);  // as the tables have it
    if (difference.verdict == analysis::Verdict::Different && difference.p) {
        return difference.relative > 0 ? fmt::format("Helped by {} ({})", by, analysis::pText(*difference.p))
                                       : fmt::format("Cost {} ({})", by, analysis::pText(*difference.p));
    }
    return difference.verdict == analysis::Verdict::Alike && difference.p
               ? fmt::format("No difference seen: {} ({})", change, analysis::pText(*difference.p))
               : fmt::format("Too few runs to tell: {}", change);
}

// A campaign of the series that knows its recipe: what completes the first one may bring it, and outlive
// that.
Result<run::CampaignInputs> inputsOf(const store::Workspace& workspace, const report::ComparedSeries& series,
                                     const std::vector<RunResult>& results) {
    std::set<std::string, std::greater<>> completing;  // the newest first
    for (const RunResult& run : results) {
        if (run.campaign != series.key.campaign && report::holds(series, run)) {
            completing.insert(run.campaign);
        }
    }
    auto first = run::readInputs(workspace, series.key.campaign);
    const auto knowsRecipe = [&](const Result<run::CampaignInputs>& inputs) {
        return inputs && inputs->recipes.find(series.key.configuration.recipe) != nullptr;
    };
    for (const std::string& id : completing) {
        if (knowsRecipe(first)) {
            break;
        }
        if (auto other = run::readInputs(workspace, id); knowsRecipe(other)) {
            return other;
        }
    }
    return first;
}

Result<std::vector<Tried>> triedIn(const store::Workspace& workspace, const report::ComparedSeries& series,
                                   const std::vector<report::Loss>& losses,
                                   const std::vector<RunResult>& results, const Vocabulary& vocabulary,
                                   const analysis::FormatBook& formats) {
    std::vector<Tried> tried;
    if (series.key.origin != Origin::Own || losses.empty()) {
        return tried;
    }
    const auto rows = TRY(readExperimentRows());
    const auto inputs = TRY(inputsOf(workspace, series, results));
    const launch::Recipe* recipe = inputs.recipes.find(series.key.configuration.recipe);
    if (recipe == nullptr || series.key.configuration.batchSize <= 0) {
        return tried;
    }
    for (const report::Loss& loss : losses) {
        const Case benchmarkCase{series.key.configuration, loss.topology};
        const Loser loser{benchmarkCase, !series.driver.empty(),
                          interfacesIn(workspace, benchmarkCase, results),
                          hasIdleProcessors(series, loss.topology, results)};
        for (Experiment& experiment : experimentsFor(loss.parts, loser, *recipe, inputs.plan, rows)) {
            auto answer = answerTo(experiment, results, vocabulary, formats);
            tried.push_back({loss.topology, std::move(experiment), std::move(answer)});
        }
    }
    return tried;
}

Json toJson(const Tried& tried) {
    Json json{{"topology", toString(tried.topology)},
              {"cause", report::keyOf(tried.experiment.cause)},
              {"title", tried.experiment.title},
              {"why", tried.experiment.why},
              {"change", tried.experiment.change},
              {"plan", launch::toJson(tried.experiment.plan)},
              {"answer", nullptr}};
    if (tried.answer) {
        const report::Difference& difference = tried.answer->difference;
        json["answer"] = {{"campaign", tried.answer->campaign},
                          {"relative", difference.relative},
                          {"verdict", report::keyOf(difference.verdict)},
                          {"p", difference.p ? Json(*difference.p) : Json()},
                          {"words", answerText(*tried.answer)}};
    }
    return json;
}

}  // namespace dlperf::tuning
