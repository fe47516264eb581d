// SPDX-License-Identifier: Apache-2.0
#include "core/run/campaign_state.h"

#include <algorithm>
#include <array>

#include "core/base/names.h"

namespace dlperf::run {
namespace {

constexpr std::array<const char*, 5> stateNames{"queued", "preparing", "running", "stopping", "finished"};

void foldVerdict(RunProgress& run, const Json& event, bool settled) {
    run.ending = !settled;
    run.troubles.clear();
    run.state = settled ? RunState::Finished : RunState::Stopping;
    run.outcome = parseOutcome(textOf(event, "outcome")).value_or(Outcome::Failed);
    run.reason = textOf(event, "reason");
    run.folder = textOf(event, "folder");
    run.started = parseIso8601(textOf(event, "started"));
    run.ended = parseIso8601(textOf(event, "ended"));
    const auto figure = event.find("throughput");
    run.throughput =
        figure != event.end() && figure->is_number() ? std::optional(figure->get<double>()) : std::nullopt;
}

void foldRun(RunProgress& run, const Json& event, const std::string& word) {
    if (word == "began") {
        const auto repetition = event.find("repetition");
        run.repetition =
            repetition != event.end() && repetition->is_number_integer() ? repetition->get<int>() : 0;
        run.folder = run.workFolder = textOf(event, "folder");
        run.state = RunState::Preparing;
        run.started = parseIso8601(textOf(event, "time"));
    } else if (word == "state") {
        const auto* name = std::find(stateNames.begin(), stateNames.end(), textOf(event, "state"));
        if (name != stateNames.end()) {
            run.state = static_cast<RunState>(std::distance(stateNames.begin(), name));
            run.troubles.clear();
        }
    } else if (word == "troubles") {
        run.troubles = troublesFromJson(event.value("troubles", Json()));
    } else if (word == "left-out" || word == "kept") {
        run.leftOut = word == "left-out";
    } else if (word == "ending" || word == "ended") {
        foldVerdict(run, event, word == "ended");
    }
}

}  // namespace

const char* toString(RunState state) {
    return stateNames.at(static_cast<std::size_t>(state));
}

bool CampaignState::finished() const {
    return std::all_of(runs.begin(), runs.end(),
                       [](const RunProgress& run) { return run.state == RunState::Finished; });
}

CampaignState foldJournal(const std::vector<Json>& events, std::size_t runs) {
    CampaignState state;
    state.runs.resize(runs);
    for (const Json& event : events) {
        const std::string word = textOf(event, "event");
        const auto number = event.find("run");
        if (number != event.end() && number->is_number_unsigned() && number->get<std::size_t>() < runs) {
            foldRun(state.runs[number->get<std::size_t>()], event, word);
        } else if (word == "paused" || word == "continued") {
            state.paused = word == "paused";
        }
    }
    return state;
}

bool isOver(const store::Workspace& workspace, const std::string& runId) {
    const std::string id = runId.substr(0, runId.rfind('/'));
    const auto campaign = isPlainName(id) ? readCampaign(workspace, id) : Failure(Error{});
    if (!campaign) {
        return false;
    }
    const auto state =
        foldJournal(readJournal(campaignFolder(workspace, id) / "journal.jsonl"), campaign->runs.size());
    for (std::size_t i = 0; i < campaign->runs.size(); ++i) {
        if (campaign->runs[i].record.result.id == runId) {
            return state.runs[i].state == RunState::Finished;
        }
    }
    return false;
}

Json beganEvent(std::size_t run, int repetition, const std::string& folder) {
    return {{"event", "began"}, {"run", run}, {"repetition", repetition}, {"folder", folder}};
}

Json stateEvent(std::size_t run, RunState state) {
    return {{"event", "state"}, {"run", run}, {"state", toString(state)}};
}

Json troublesEvent(std::size_t run, const std::vector<NodeTrouble>& troubles) {
    return {{"event", "troubles"}, {"run", run}, {"troubles", toJson(troubles)}};
}

Json verdictEvent(const char* word, std::size_t run, const RunResult& result) {
    return {{"event", word},
            {"run", run},
            {"outcome", dlperf::toString(result.outcome)},
            {"reason", result.reason},
            {"folder", result.folder},
            {"throughput", result.throughput ? Json(*result.throughput) : Json()},
            {"started", result.started ? Json(toIso8601(*result.started)) : Json()},
            {"ended", result.ended ? Json(toIso8601(*result.ended)) : Json()}};
}

}  // namespace dlperf::run
