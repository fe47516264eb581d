// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_state.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

constexpr std::array<const char*, 6> phaseNames{"queued",  "in-queue", "preparing",
                                                "running", "stopping", "finished"};
constexpr std::array<const char*, 5> causeNames{"trainer-ended", "measured", "failed", "timed-out",
                                                "cancelled"};

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
                       [](const RunState& run) { return run.phase == RunPhase::Finished; });
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

}  // namespace dlperf::run
