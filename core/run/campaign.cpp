// SPDX-License-Identifier: Apache-2.0
#include "core/run/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/launch/past_runs.h"
#include "core/run/journal.h"
#include "core/store/fields.h"
#include "core/store/results.h"
#include "core/store/run_record.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

// "20261121-081530-3fa2" from the time and four random digits.
std::string newId(TimePoint time) {
    std::string digits;
    for (const char c : toIso8601(time).substr(0, 19)) {
        if (c == 'T') {
            digits += '-';
        } else if (c != '-' && c != ':') {
            digits += c;
        }
    }
    // Milliseconds first: ids are in the order of their campaigns, also of two in one second.
    const auto milliseconds = time.time_since_epoch().count() % 1000;
    return fmt::format("{}-{:03}{:04x}", digits, milliseconds, std::random_device{}() & 0xFFFFU);
}

Json toJson(const Campaign& campaign) {
    Json runs = Json::array();
    for (const RunState& run : campaign.runs) {
        Json json =
            store::toJson(store::RunRecord{run.result(), run.recipeTitle, campaign.plan, Json::object()});
        json["facts"]["nodes"] = run.nodes;
        runs.push_back(std::move(json));
    }
    Json json{{"id", campaign.id},
              {"plan", campaign.plan},
              {"started", campaign.started ? Json(toIso8601(*campaign.started)) : Json()},
              {"grace_ms", campaign.grace.count()},
              {"lost_after_ms", campaign.lostAfter.count()},
              {"lease_ms", campaign.lease.count()},
              {"keep_node_files", campaign.keepNodeFiles},
              {"warnings", store::findingsJson(campaign.warnings)},
              {"runs", std::move(runs)}};
    if (campaign.search) {
        json["search"] = launch::toJson(*campaign.search);
    }
    if (campaign.until) {
        json["until"] = launch::toJson(*campaign.until);
    }
    return json;
}

// Of each run of the plan, whether a figure that is there counts in its place.
std::vector<bool> leftOut(const launch::PreparedPlan& prepared, FigureCounts there) {
    return mapped(prepared.runs,
                  [&there](const launch::PlannedRun& run) { return there[run.benchmarkCase]-- > 0; });
}

// The next number behind this one that is not free: of an earlier run.
int nextTaken(const std::vector<int>& free, int number) {
    do {
        ++number;
    } while (std::ranges::find(free, number) != free.end());
    return number;
}

// The free repetition numbers are for those that run; the others have those before and between.
std::vector<RunState> planRuns(const store::Workspace& workspace, const Campaign& campaign,
                               const launch::PreparedPlan& prepared, const std::vector<bool>& isLeftOut,
                               const std::string& completes) {
    std::map<Case, int> wanted;
    for (std::size_t number = 0; number < prepared.runs.size(); ++number) {
        wanted[prepared.runs[number].benchmarkCase] += isLeftOut[number] ? 0 : 1;
    }
    std::map<Case, std::vector<int>> numbers;
    for (const auto& [benchmarkCase, count] : wanted) {
        numbers[benchmarkCase] = workspace.freeRepetitions(benchmarkCase, count);
    }
    std::map<Case, std::size_t> used;
    std::map<Case, int> taken;  // the last one that was left out
    std::vector<RunState> runs;
    for (const launch::PlannedRun& planned : prepared.runs) {
        RunState run;
        run.id = runIdOf(campaign.id, runs.size());
        run.campaign = campaign.id;
        run.completes = completes;
        run.benchmarkCase = planned.benchmarkCase;
        run.defaults = planned.defaults;
        const std::vector<int>& free = numbers[planned.benchmarkCase];
        int& last = taken[planned.benchmarkCase];
        if (isLeftOut[runs.size()]) {
            run.repetition = last = nextTaken(free, last);
        } else {
            run.repetition = free.at(used[planned.benchmarkCase]++);
        }
        run.unit = planned.unit;
        run.format = planned.format;
        run.range = planned.range;
        run.recipeTitle = planned.recipeTitle;
        run.nodes = mapped(planned.nodes, &launch::NodeLaunch::node);
        runs.push_back(std::move(run));
    }
    return runs;
}

Result<void> writeInputs(const fs::path& folder, const CampaignInputs& inputs) {
    TRY(makeFolders(folder / "recipes"));
    for (const std::string& name : inputs.plan.recipes) {
        const launch::Recipe* recipe = inputs.recipes.find(name);
        if (recipe == nullptr) {
            return fail(fmt::format("there is no recipe \"{}\"", name), inputs.plan.name);
        }
        TRY(launch::writeRecipe(*recipe, folder / "recipes" / name));
    }
    TRY(writeFileAtomically(folder / "plan.json", launch::toJson(inputs.plan).dump(1) + "\n"));
    return writeFileAtomically(folder / "cluster.json", cluster::toJson(inputs.cluster).dump(1) + "\n", 0600);
}

Result<RunState> readRun(const Json& json, const std::string& where) {
    const auto record = TRY(store::runRecordFromJson(json, where));
    JsonReader facts(record.facts, where + ", facts");
    RunState run;
    run.result() = record.result;
    run.recipeTitle = record.recipeTitle;
    run.nodes = facts.texts("nodes");
    return facts.error() == nullptr ? Result<RunState>(std::move(run)) : Failure(*facts.error());
}

// The folders of a case by the id of the run that they hold.
std::multimap<std::string, std::string> foldersById(const store::Workspace& workspace,
                                                    const Case& benchmarkCase) {
    std::multimap<std::string, std::string> folders;
    for (const fs::path& entry : entriesOf(workspace.caseFolder(benchmarkCase))) {
        if (const auto json = readJsonFile(entry / "run.json"); json && json->is_object()) {
            folders.emplace(textOf(*json, "id"), entry.lexically_relative(workspace.root()).string());
        }
    }
    return folders;
}

// Before campaign.json, without which the campaign was never begun.
Result<void> leaveOut(const std::vector<bool>& isLeftOut, const store::Workspace& workspace,
                      const Campaign& campaign) {
    auto journal = TRY(Journal::open(journalFile(workspace, campaign.id)));
    for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
        if (isLeftOut[number]) {
            TRY(journal.write({event::AlreadyThere{}, number}));
        }
    }
    return {};
}

}  // namespace

fs::path campaignFolder(const store::Workspace& workspace, const std::string& id) {
    return workspace.campaigns() / id;
}

fs::path journalFile(const store::Workspace& workspace, const std::string& id) {
    return campaignFolder(workspace, id) / "journal.jsonl";
}

Result<FigureCounts> countFigures(const store::Workspace& workspace, const launch::PreparedPlan& prepared) {
    const auto stored = TRY(store::readResults(workspace));
    std::map<Case, MeasurementRange> ranges;
    for (const launch::PlannedRun& run : prepared.runs) {
        ranges.try_emplace(run.benchmarkCase, run.range);
    }
    FigureCounts counts;
    for (const RunResult& result : stored.results) {
        const auto range = ranges.find(result.benchmarkCase);
        if (range != ranges.end() && result.throughput && launch::isFigureOf(range->second, result)) {
            ++counts[result.benchmarkCase];
        }
    }
    return counts;
}

bool hasAllFigures(const FigureCounts& there, const launch::PreparedPlan& prepared) {
    const std::vector<bool> isLeftOut = leftOut(prepared, there);
    return std::ranges::find(isLeftOut, false) == isLeftOut.end();
}

Result<Campaign> createCampaign(const store::Workspace& workspace, const CampaignInputs& inputs,
                                const launch::PreparedPlan& prepared, const Settings& settings,
                                const FigureCounts& there, const std::string& completes) {
    Campaign campaign;
    campaign.started = now();
    campaign.id = newId(*campaign.started);
    campaign.plan = inputs.plan.name;
    campaign.grace = settings.grace;
    campaign.lostAfter = settings.lostAfter;
    campaign.lease = settings.lease;
    campaign.keepNodeFiles = settings.keepNodeFiles;
    campaign.search = inputs.plan.search;
    campaign.until = inputs.plan.until;
    campaign.warnings = inputs.warnings;
    const std::vector<bool> isLeftOut = leftOut(prepared, there);
    campaign.runs = planRuns(workspace, campaign, prepared, isLeftOut, completes);
    const fs::path folder = campaignFolder(workspace, campaign.id);
    TRY(writeInputs(folder, inputs));
    if (!there.empty()) {
        TRY(leaveOut(isLeftOut, workspace, campaign));
    }
    const std::string text = toJson(campaign).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    TRY(writeFileAtomically(folder / "campaign.json", text));
    return campaign;
}

Result<Campaign> readCampaign(const store::Workspace& workspace, const std::string& id) {
    const fs::path file = campaignFolder(workspace, id) / "campaign.json";
    const auto json = TRY(readJsonFile(file));
    JsonReader reader(json, file.string());
    Campaign campaign;
    campaign.id = id;
    campaign.plan = reader.text("plan");
    campaign.started = parseIso8601(reader.text("started"));
    campaign.grace = std::chrono::milliseconds(reader.integer("grace_ms", 10'000, 0, 86'400'000));
    campaign.lostAfter = std::chrono::milliseconds(reader.integer("lost_after_ms", 300'000, 0, 86'400'000));
    campaign.lease = std::chrono::milliseconds(reader.integer("lease_ms", 0, 0, 86'400'000));
    campaign.keepNodeFiles = reader.flag("keep_node_files", true);
    campaign.search = launch::searchFromJson(reader);
    campaign.until = launch::repeatUntilFromJson(reader);
    store::ReadFields fields(reader);
    fields("warnings", campaign.warnings);
    const Json& runs = reader.member("runs");
    if (!runs.is_array()) {
        reader.addError("\"runs\" must be a list");
    }
    TRY(reader.checked());
    for (const Json& item : runs) {
        auto run = TRY(readRun(item, file.string()));
        campaign.runs.push_back(std::move(run));
    }
    return campaign;
}

Result<void> replayJournal(const store::Workspace& workspace, Campaign& campaign) {
    const fs::path journal = journalFile(workspace, campaign.id);
    TRY(checkJournal(journal));
    const auto events = TRY(readJournal(journal));
    for (const Event& event : events) {
        apply(campaign, event);
    }
    return {};
}

Result<void> replaySoundJournal(const store::Workspace& workspace, Campaign& campaign) {
    if (auto replayed = replayJournal(workspace, campaign); !replayed) {
        Error error = replayed.error();
        error.kind = ErrorKind::Input;
        return Failure(std::move(error));
    }
    return checkFolders(workspace, campaign);
}

Result<void> checkFolders(const store::Workspace& workspace, const Campaign& campaign) {
    std::map<Case, std::multimap<std::string, std::string>> known;
    for (const RunState& run : campaign.runs) {
        if (run.phase == RunPhase::Finished || run.settling) {
            continue;
        }
        const auto [folders, isNew] = known.try_emplace(run.benchmarkCase);
        if (isNew) {
            folders->second = foldersById(workspace, run.benchmarkCase);
        }
        const auto [first, last] = folders->second.equal_range(run.id);
        const auto unknown =
            std::find_if(first, last, [&](const auto& entry) { return entry.second != run.workFolder; });
        if (unknown != last) {
            return fail(
                fmt::format("the journal lacks its end: it does not know that run {} ran in {}", run.id,
                            unknown->second),
                journalFile(workspace, campaign.id).string(),
                fmt::format("Restore the file from a backup; to give the campaign up, `dlperf delete {}`.",
                            campaign.id));
        }
    }
    return {};
}

Result<CampaignInputs> readInputs(const store::Workspace& workspace, const std::string& id) {
    const fs::path folder = campaignFolder(workspace, id);
    auto plan = TRY(launch::readPlan(folder / "plan.json"));
    auto cluster = TRY(cluster::readCluster(folder / "cluster.json"));
    return CampaignInputs{std::move(plan), std::move(cluster), launch::readRecipes({folder / "recipes"})};
}

std::vector<std::string> campaignIds(const store::Workspace& workspace) {
    std::vector<std::string> ids;
    for (const fs::path& entry : entriesOf(workspace.campaigns())) {
        const std::string id = entry.filename().string();
        std::error_code missing;
        if (isPlainName(id) && fs::exists(entry / "campaign.json", missing)) {
            ids.push_back(id);
        }
    }
    return ids;
}

bool isOver(const Campaign& campaign, const std::string& runId) {
    const RunId asked = parseRunId(runId);
    return std::any_of(campaign.runs.begin(), campaign.runs.end(), [&](const RunState& run) {
        const RunId present = parseRunId(run.id);
        return present.run == asked.run &&
               (asked.attempt < present.attempt ||
                (asked.attempt == present.attempt && run.phase == RunPhase::Finished));
    });
}

bool isOver(const store::Workspace& workspace, const std::string& runId) {
    const std::string id = campaignOfRun(runId);
    auto campaign = isPlainName(id) ? readCampaign(workspace, id) : Failure(Error{});
    return campaign && replayJournal(workspace, *campaign) && isOver(*campaign, runId);
}

}  // namespace dlperf::run
