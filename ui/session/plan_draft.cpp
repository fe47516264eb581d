// SPDX-License-Identifier: Apache-2.0
#include "ui/session/plan_draft.h"

#include <QUuid>
#include <algorithm>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/names.h"

namespace dlperf::ui {
namespace {

using std::chrono::seconds;

std::optional<seconds> median(std::vector<seconds> durations) {
    if (durations.empty()) {
        return std::nullopt;
    }
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::ranges::nth_element(durations, middle);
    return *middle;
}

template <class Same>
std::vector<seconds> durationsOf(const std::vector<RunResult>& results, Same same) {
    std::vector<seconds> durations;
    for (const RunResult& result : results) {
        if (result.outcome == Outcome::Ok && result.started && result.ended && same(result)) {
            durations.push_back(std::chrono::duration_cast<seconds>(*result.ended - *result.started));
        }
    }
    return durations;
}

}  // namespace

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
    if (auto prepared = prepareDraft(draft, vocabulary); !prepared) {
        return Failure(prepared.error());
    }
    return draft;
}

Result<void> prepareDraft(PlanDraft& draft, const Vocabulary& vocabulary) {
    auto prepared = launch::prepare(draft.plan, draft.cluster, draft.recipes, vocabulary);
    if (!prepared) {
        return Failure(prepared.error());
    }
    draft.prepared = std::move(*prepared);
    draft.changed = launch::toJson(draft.plan) != launch::toJson(draft.original);
    return {};
}

Result<std::filesystem::path> fileToStart(const PlanDraft& draft, const store::Workspace& workspace) {
    const auto folder = workspace.root() / "plans";
    if (auto made = makeFolders(folder); !made) {
        return Failure(made.error());
    }
    const std::string mark = QUuid::createUuid().toString(QUuid::Id128).left(8).toStdString();
    const auto file =
        folder / (store::pathComponent(store::encodedName(draft.plan.name, {})) + "-" + mark + ".json");
    if (auto written = writeFileAtomically(file, launch::toJson(draft.plan).dump(2) + "\n"); !written) {
        return Failure(written.error());
    }
    return file;
}

std::optional<seconds> expectedDuration(const Case& benchmarkCase, const std::vector<RunResult>& results) {
    const auto same = median(
        durationsOf(results, [&](const RunResult& result) { return result.benchmarkCase == benchmarkCase; }));
    if (same) {
        return same;
    }
    return median(durationsOf(results, [&](const RunResult& result) {
        return result.benchmarkCase.subject == benchmarkCase.subject;
    }));
}

}  // namespace dlperf::ui
