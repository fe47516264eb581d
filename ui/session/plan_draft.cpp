// SPDX-License-Identifier: Apache-2.0
#include "ui/session/plan_draft.h"

#include <QCoreApplication>
#include <QUuid>
#include <algorithm>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/names.h"

namespace dlperf::ui {
namespace {

constexpr int largestDoubled = 1 << 15;  // batch sizes that are offered stay sane

template <class Value>
void addOnce(std::vector<Value>& values, const Value& value) {
    if (std::ranges::find(values, value) == values.end()) {
        values.push_back(value);
    }
}

std::vector<const launch::Recipe*> chosenRecipes(const launch::Plan& plan,
                                                 const launch::RecipeBook& recipes) {
    std::vector<const launch::Recipe*> chosen;
    for (const std::string& name : plan.recipes) {
        if (const launch::Recipe* recipe = recipes.find(name); recipe != nullptr) {
            chosen.push_back(recipe);
        }
    }
    return chosen;
}

// The context of the texts, for translators.
struct PlanText {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::Plan)
};

}  // namespace

Result<PlanDraft> readDraft(const std::filesystem::path& file, const std::filesystem::path& resources,
                            const std::filesystem::path& workspace, const Vocabulary& vocabulary,
                            const cluster::Cluster& cluster, const analysis::FormatBook& formats) {
    const auto bytes = TRY(readFile(file));
    const auto json = TRY(parseJson(bytes, file.string()));
    auto plan = TRY(launch::planFromJson(json, file.string()));
    if (plan.name.empty()) {
        plan.name = cleanUtf8(file.stem().string());
    }
    PlanDraft draft = draftOf(plan, resources, workspace, vocabulary, cluster, formats);
    draft.bytes = bytes;
    return draft;
}

PlanDraft draftOf(const launch::Plan& plan, const std::filesystem::path& resources,
                  const std::filesystem::path& workspace, const Vocabulary& vocabulary,
                  const cluster::Cluster& cluster, const analysis::FormatBook& formats) {
    PlanDraft draft;
    draft.original = plan;
    draft.plan = plan;
    draft.cluster = cluster;
    draft.recipes = launch::readRecipes(launch::recipeFolders(resources, workspace));
    prepareDraft(draft, vocabulary, formats);
    return draft;
}

// The reader of plan files has the last word on what was typed, as on what was read.
void prepareDraft(PlanDraft& draft, const Vocabulary& vocabulary, const analysis::FormatBook& formats) {
    const Json json = launch::toJson(draft.plan);
    draft.changed = json != launch::toJson(draft.original);
    draft.prepared = {};
    draft.problem.reset();
    const auto plan = launch::planFromJson(json, draft.plan.name);
    auto prepared = plan ? launch::prepare(*plan, draft.cluster, draft.recipes, vocabulary, formats)
                         : Result<launch::PreparedPlan>(Failure(plan.error()));
    if (prepared) {
        draft.prepared = std::move(*prepared);
    } else {
        draft.problem = prepared.error();
    }
}

Result<FilesToStart> filesToStart(const PlanDraft& draft, const store::Workspace& workspace) {
    const auto folder = workspace.root() / "plans" / "started";
    TRY(makeFolder(folder.parent_path()));
    TRY(makeFolder(folder));
    const std::string mark = QUuid::createUuid().toString(QUuid::Id128).left(8).toStdString();
    const std::string name = store::pathComponent(store::encodedName(draft.plan.name, {})) + "-" + mark;
    const FilesToStart files{folder / (name + ".json"), folder / (name + ".cluster.json")};
    TRY(savePlan(draft.plan, files.plan));
    TRY(writeFileAtomically(files.cluster, toJson(draft.cluster).dump(2) + "\n"));
    return files;
}

Result<void> savePlan(const launch::Plan& plan, const std::filesystem::path& file) {
    return writeFileAtomically(file, launch::toJson(plan).dump(2) + "\n");
}

QString recipeText(const Configuration& configuration) {
    QString text = QString::fromStdString(configuration.recipe);
    for (const std::string& feature : configuration.features) {
        text += QStringLiteral(" +") + QString::fromStdString(feature);
    }
    return text;
}

std::set<Topology> topologyChoices(const launch::Plan& plan, const cluster::Cluster& cluster) {
    std::set<Topology> choices(plan.topologies.begin(), plan.topologies.end());
    int devices = cluster::cpuProcesses;
    for (const cluster::Node& node : cluster.nodes) {
        devices = std::max(devices, node.devices.value_or(0));
    }
    for (int count = 1; count < devices; count *= 2) {
        choices.insert({1, count});
    }
    const int nodes = static_cast<int>(plan.nodes.empty() ? cluster.nodes.size() : plan.nodes.size());
    for (int count = 1; count < nodes; count *= 2) {
        choices.insert({count, devices});
    }
    choices.insert({std::max(nodes, 1), devices});
    return choices;
}

std::set<int> batchSizeChoices(const launch::Plan& plan) {
    std::set<int> choices;
    for (const int size : plan.batchSizes) {
        choices.insert(size);
        if (size <= largestDoubled) {
            choices.insert(size * 2);
        }
        if (size > 1 && size % 2 == 0) {
            choices.insert(size / 2);
        }
    }
    return choices.empty() ? std::set<int>{32, 64, 128, 256} : choices;
}

std::vector<std::string> precisionChoices(const launch::Plan& plan, const launch::RecipeBook& recipes) {
    std::vector<std::string> choices;
    for (const launch::Recipe* recipe : chosenRecipes(plan, recipes)) {
        for (const std::string& precision : recipe->precisions) {
            addOnce(choices, precision);
        }
    }
    for (const std::string& precision : plan.precisions) {
        addOnce(choices, precision);
    }
    return choices;
}

std::vector<FeatureSet> featureChoices(const launch::Plan& plan, const launch::RecipeBook& recipes) {
    std::vector<FeatureSet> choices{{}};
    for (const launch::Recipe* recipe : chosenRecipes(plan, recipes)) {
        for (const std::string& feature : recipe->features) {
            addOnce(choices, FeatureSet{feature});
        }
    }
    for (const FeatureSet& features : plan.features) {
        addOnce(choices, features);
    }
    return choices;
}

std::string toString(const FeatureSet& features) {
    return join(features, "+");
}

FeatureSet parseFeatures(const std::string& text) {
    FeatureSet features;
    for (const std::string_view feature : split(text, '+')) {
        if (!trim(feature).empty()) {
            addOnce(features, std::string(trim(feature)));
        }
    }
    std::ranges::sort(features);
    return features;
}

QString topologyWords(const Topology& topology) {
    const QString devices =
        topology.devices == 1 ? PlanText::tr("1 device") : PlanText::tr("%1 devices").arg(topology.devices);
    return topology.nodes == 1
               ? PlanText::tr("1 node with %1").arg(devices)
               : PlanText::tr("%1 nodes with %2 each").arg(QString::number(topology.nodes), devices);
}

}  // namespace dlperf::ui
