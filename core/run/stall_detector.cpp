// SPDX-License-Identifier: Apache-2.0
#include "core/run/stall_detector.h"

namespace dlperf::run {

std::optional<NodeAlert> StallDetector::check(const diagnosis::Rules& rules, const NodeReport& report,
                                              const diagnosis::Pace& pace, bool othersAnswer) {
    const auto present = Clock::now();
    if (report.logBytes != logBytes_) {
        logBytes_ = report.logBytes;
        grown_ = report.lastReached;
    }
    const auto ago = [&](Clock::time_point time) {
        return now() - std::chrono::duration_cast<std::chrono::milliseconds>(present - time);
    };
    std::optional<NodeAlert> alert;
    // The log of a node that is not reached stands still here only: silence is what was seen of it.
    const std::chrono::duration<double> silence = report.lastReached - grown_;
    if (report.unreachable && present - report.lastReached >= moment_) {
        alert = NodeAlert{NodeAlert::Kind::NotReached, node_,        ago(report.lastReached),
                          report.unreachable->what,    othersAnswer, {}};
    } else if (!report.unreachable && !report.ended() && rules &&
               diagnosis::hintOfSilence(*rules, node_, silence.count(), pace.usual())) {
        alert = NodeAlert{NodeAlert::Kind::Silent, node_, ago(grown_), {}, false, pace.usual()};
    }
    if (alert && alert_ && alert->isSameAs(*alert_)) {
        alert->since = alert_->since;
        alert->why = alert_->why;  // each try fails in its own words
    }
    alert_ = alert;
    return alert;
}

}  // namespace dlperf::run
