// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_monitor.h"

#include <algorithm>
#include <utility>

#include "core/base/pause.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// At most between two looks at the trainer's process; its exit code is looked at between them where the log
// stands still.
constexpr std::chrono::milliseconds lifeEvery = 2s;
constexpr std::chrono::milliseconds lifeEveryOfWriter = 10s;  // its log grows
constexpr std::chrono::milliseconds lifeEveryByAgent =
    20s;  // takes processes on the node, beside the trainer
constexpr auto telemetryEvery = 3s;
constexpr auto longestBackOff = 10s;
constexpr std::uint64_t mostAtOnce = 16U << 20U;  // of a log, before the trainer is looked at again

}  // namespace

LockHeartbeat::LockHeartbeat(NodeRun& node, std::chrono::milliseconds every) : node_(node), every_(every) {
    thread_ = std::jthread([this](const std::stop_token& stop) { refresh(stop); });
}

std::optional<Error> LockHeartbeat::lost() const {
    const std::scoped_lock lock(mutex_);
    return lost_;
}

void LockHeartbeat::refresh(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, stop, every_, [] { return false; }) && !stop.stop_requested()) {
        lock.unlock();
        const auto kept = node_.refresh(stop);
        lock.lock();
        if (!kept && kept.error().kind != ErrorKind::Transient && !stop.stop_requested()) {
            lost_ = kept.error();
            return;
        }
    }
}

NodeMonitor::NodeMonitor(NodeRun& node, Identity identity, LogCopy copy, std::optional<LogCopy> telemetry,
                         std::chrono::milliseconds poll, BootClock::time_point due)
    : node_(node),
      identity_(std::move(identity)),
      copy_(std::move(copy)),
      telemetry_(std::move(telemetry)),
      poll_(poll),
      due_(due) {
    report_.logBytes = copy_.size();
    report_.lastReached = Clock::now();
    thread_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

NodeReport NodeMonitor::report() const {
    const std::scoped_lock lock(mutex_);
    return report_;
}

LogCopy NodeMonitor::stop() {
    thread_.request_stop();
    thread_.join();
    return std::move(copy_);
}

void NodeMonitor::follow(const std::stop_token& stop) {
    auto nap = poll_;
    while (!stop.stop_requested()) {
        const bool due = BootClock::now() >= due_;
        const auto trainer =
            lookAtTrainer(due, stop);  // before the log, so that an ended trainer's log is seen whole
        if (due) {
            setAskedWhenDue();  // before the log, which may take its time
        }
        const auto more = trainer ? lookAtLog(stop) : Failure(trainer.error());
        if (more && !*more) {
            lookAtTelemetry(stop);
        }
        std::unique_lock lock(mutex_);
        const bool passing = !more && more.error().kind == ErrorKind::Transient;
        report_.unreachable = passing ? std::optional(more.error()) : std::nullopt;
        report_.lastReached = passing ? report_.lastReached : Clock::now();
        if (!more && !passing && !stop.stop_requested()) {
            report_.error = more.error();
            return;
        }
        nap = passing ? std::min<std::chrono::milliseconds>(nap * 2, longestBackOff) : poll_;
        if (!more.value_or(false)) {
            wake_.wait_for(lock, stop, nap, [] { return false; });
        }
    }
}

void NodeMonitor::setAskedWhenDue() {
    const std::scoped_lock lock(mutex_);
    report_.askedWhenDue = true;
}

// True when there may be more.
Result<bool> NodeMonitor::lookAtLog(const std::stop_token& stop) {
    auto more = copy_.catchUp(node_.transport(), node_.logPath(), mostAtOnce, stop);
    const std::scoped_lock lock(mutex_);
    grew_ = copy_.size() > report_.logBytes;
    report_.logBytes = copy_.size();
    return more;
}

// No run fails for want of it.
void NodeMonitor::lookAtTelemetry(const std::stop_token& stop) {
    const auto now = Clock::now();
    if (!telemetry_ || now < nextTelemetry_) {
        return;
    }
    nextTelemetry_ = now + uneven(telemetryEvery);
    (void)telemetry_->catchUp(node_.transport(), node_.telemetryPath(), mostAtOnce, stop);
}

Result<void> NodeMonitor::lookAtTrainer(bool due, const std::stop_token& stop) {
    if (report().ended()) {
        return {};
    }
    bool dead = false;
    const auto now = Clock::now();
    const std::chrono::milliseconds every = node_.node().seat ? lifeEveryByAgent : lifeEvery;
    nextLife_ = grew_ ? nextLife_ : std::min(nextLife_, now + every);
    if (now >= nextLife_) {
        dead = !TRY(node_.alive(identity_, stop));
        // uneven: hundreds of nodes in step would wait for each other
        nextLife_ = now + uneven(grew_ ? std::max(every, lifeEveryOfWriter) : every);
    } else if (grew_ && !due) {
        return {};
    }
    // after the look at the process: a dead one has left its code
    auto code = TRY(node_.exitCode(stop));
    if (dead && !code) {
        code = TRY(node_.lastExitCode(stop));
    }
    const std::scoped_lock lock(mutex_);
    report_.exitCode = code;
    report_.vanished = dead && !code;
    return {};
}

std::optional<NodeAlert> StallDetector::check(const diagnosis::Rules& rules, const NodeReport& report,
                                              const analysis::Pace& pace, bool othersAnswer) {
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
    if (report.unreachable && present - report.lastReached >= unreachableGrace_) {
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
