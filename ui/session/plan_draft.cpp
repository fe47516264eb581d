// SPDX-License-Identifier: Apache-2.0
#include "ui/session/plan_draft.h"

#include <QUuid>
#include <algorithm>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/names.h"

namespace dlperf::ui {
Result<PlanDraft> readDraft(const std::filesystem::path& file, const std::filesystem::path& resources,
                            const Vocabulary& vocabulary, const cluster::Cluster& cluster) {
    const auto bytes = readFile(file);
    if (!bytes) {
        return Failure(bytes.error());
    }
    const auto json = parseJson(*bytes, file.string());
    if (!json) {
        return Failure(json.error());
    }
    auto plan = launch::planFromJson(*json, file.string());
    if (!plan) {
        return Failure(plan.error());
    }
    if (plan->name.empty()) {
        plan->name = cleanUtf8(file.stem().string());
    }
    PlanDraft draft;
    draft.bytes = *bytes;
    draft.original = *plan;
    draft.plan = std::move(*plan);
    draft.cluster = cluster;
    draft.recipes = launch::readRecipes({resources / "recipes"});
    prepareDraft(draft, vocabulary);
    return draft;
}

// The reader of plan files has the last word on what was typed, as on what was read.
void prepareDraft(PlanDraft& draft, const Vocabulary& vocabulary) {
    const Json json = launch::toJson(draft.plan);
    draft.changed = json != launch::toJson(draft.original);
    draft.prepared = {};
    draft.problem.reset();
    const auto plan = launch::planFromJson(json, draft.plan.name);
    auto prepared = plan ? launch::prepare(*plan, draft.cluster, draft.recipes, vocabulary)
                         : Result<launch::PreparedPlan>(Failure(plan.error()));
    if (prepared) {
        draft.prepared = std::move(*prepared);
    } else {
        draft.problem = prepared.error();
    }
}

Result<FilesToStart> filesToStart(const PlanDraft& draft, const store::Workspace& workspace) {
    const auto folder = workspace.root() / "plans" / "started";
    if (auto made = makeFolders(folder); !made) {
        return Failure(made.error());
    }
    const std::string mark = QUuid::createUuid().toString(QUuid::Id128).left(8).toStdString();
    const std::string name = store::pathComponent(store::encodedName(draft.plan.name, {})) + "-" + mark;
    const FilesToStart files{folder / (name + ".json"), folder / (name + ".cluster.json")};
    if (auto written = savePlan(draft.plan, files.plan); !written) {
        return Failure(written.error());
    }
    if (auto written = writeFileAtomically(files.cluster, toJson(draft.cluster).dump(2) + "\n"); !written) {
        return Failure(written.error());
    }
    return files;
}

Result<void> savePlan(const launch::Plan& plan, const std::filesystem::path& file) {
    return writeFileAtomically(file, launch::toJson(plan).dump(2) + "\n");
}

QString recipeText(const Subject& subject) {
    QString text = QString::fromStdString(subject.recipe);
    for (const std::string& feature : subject.features) {
        text += QStringLiteral(" +") + QString::fromStdString(feature);
    }
    return text;
}

}  // namespace dlperf::ui
