// SPDX-License-Identifier: Apache-2.0
#include "ui/models/queue_time.h"

#include <algorithm>
#include <map>

namespace dlperf::ui {
namespace {

using std::chrono::milliseconds;

struct Took {
    milliseconds sum{0};
    int runs = 0;
    [[nodiscard]] milliseconds mean() const { return sum / std::max(1, runs); }
};

// Runs that were cut short say nothing about how long one takes.
bool ranToItsEnd(const run::RunState& run) {
    return run.phase == run::RunPhase::Finished && run.outcome == Outcome::Ok && run.started && run.ended;
}

}  // namespace

std::optional<std::chrono::seconds> timeLeft(const run::Campaign& campaign, TimePoint time) {
    std::map<Case, Took> byCase;
    Took any;
    for (const run::RunState& run : campaign.runs) {
        if (ranToItsEnd(run)) {
            for (Took* took : {&byCase[run.benchmarkCase], &any}) {
                took->sum += *run.ended - *run.started;
                ++took->runs;
            }
        }
    }
    if (any.runs == 0) {
        return std::nullopt;
    }
    milliseconds left{0};
    for (const run::RunState& run : campaign.runs) {
        if (run.phase != run::RunPhase::Finished) {
            const auto same = byCase.find(run.benchmarkCase);
            const milliseconds whole = same == byCase.end() ? any.mean() : same->second.mean();
            const milliseconds gone = run.started ? time - *run.started : milliseconds{0};
            left += std::max(milliseconds{0}, whole - gone);
        }
    }
    return std::chrono::duration_cast<std::chrono::seconds>(left);
}

}  // namespace dlperf::ui
