// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_state.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/run/trials.h"

namespace dlperf::run {
namespace {

constexpr std::array<const char*, 6> phaseNames{"queued",  "in-queue", "preparing",
                                                "running", "stopping", "finished"};
constexpr std::array<const char*, 6> causeNames{"trainer-ended", "measured",  "failed",
                                                "timed-out",     "cancelled", "out-of-memory"};

}  // namespace

const char* toString(RunPhase phase) {
    return phaseNames.at(static_cast<std::size_t>(phase));
}

std::optional<RunPhase> parseRunPhase(const std::string& text) {
    return enumNamed<RunPhase>(phaseNames, text);
}

const char* toString(StopCause cause) {
    return causeNames.at(static_cast<std::size_t>(cause));
}

std::optional<StopCause> parseStopCause(const std::string& text) {
    return enumNamed<StopCause>(causeNames, text);
}

bool Campaign::finished() const {
    return std::all_of(runs.begin(), runs.end(),
                       [](const RunState& run) { return run.phase == RunPhase::Finished; }) &&
           wantedRuns(*this).empty();
}

std::string Campaign::seriesCampaign() const {
    return runs.empty() || runs.front().completes.empty() ? id : runs.front().completes;
}

bool Campaign::isAnswer(const RunState& run) const {
    return search && search->option.empty() && run.phase == RunPhase::Finished && run.outcome == Outcome::Oom;
}

bool Campaign::endedWell() const {
    const auto isWell = [&](const RunState& run) {
        return run.outcome == Outcome::Ok || run.alreadyThere || isAnswer(run);
    };
    const auto hasAnswer = [](const SearchedCase& one) { return one.state.answer.has_value(); };
    return finished() && std::ranges::all_of(runs, isWell) &&
           std::ranges::all_of(searchedCases(*this), hasAnswer);
}

std::map<Outcome, int> Campaign::outcomes() const {
    std::map<Outcome, int> counts;
    for (const RunState& run : runs) {
        if (run.phase == RunPhase::Finished) {
            ++counts[run.outcome];
        }
    }
    return counts;
}

bool isCalled(const std::string& runId, const std::string& name) {
    const auto isSame = [&](const std::string& run) {
        const std::string number = run.substr(run.find('/') + 1);
        const std::size_t zeros = std::min(number.find_first_not_of('0'), number.size());
        return name == run || name == number || name == number.substr(zeros);
    };
    return isSame(runId) || isSame(parseRunId(runId).run);
}

const RunState* runCalled(const std::vector<Campaign>& campaigns, const std::string& name) {
    const RunState* found = nullptr;
    for (const Campaign& campaign : campaigns) {
        for (const RunState& run : campaign.runs) {
            found = isCalled(run.id, name) ? &run : found;
        }
    }
    return found;
}

}  // namespace dlperf::run
