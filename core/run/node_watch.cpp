// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_watch.h"

#include <algorithm>
#include <utility>

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto lifeEvery = 1s;  // how often the trainer's process is looked at
constexpr auto telemetryEvery = 2s;
constexpr auto longestBackOff = 10s;
constexpr std::uint64_t mostAtOnce = 16U << 20U;  // of a log, before the trainer is looked at again

}  // namespace

NodeWatch::NodeWatch(NodeRun& node, Identity identity, LogCopy copy, std::optional<LogCopy> telemetry,
                     std::chrono::milliseconds poll)
    : node_(node),
      identity_(std::move(identity)),
      copy_(std::move(copy)),
      telemetry_(std::move(telemetry)),
      poll_(poll) {
    report_.logBytes = copy_.size();
    report_.lastReached = Clock::now();
    thread_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

NodeReport NodeWatch::report() const {
    const std::scoped_lock lock(mutex_);
    return report_;
}

LogCopy NodeWatch::stop() {
    thread_.request_stop();
    thread_.join();
    return std::move(copy_);
}

void NodeWatch::follow(const std::stop_token& stop) {
    auto nap = poll_;
    while (!stop.stop_requested()) {
        const auto trainer =
            lookAtTrainer(stop);  // before the log, so that an ended trainer's log is seen whole
        setLooked();              // before the log, which may take its time
        const auto more = trainer ? lookAtLog(stop) : Failure(trainer.error());
        if (more && !*more) {
            lookAtTelemetry(stop);
        }
        std::unique_lock lock(mutex_);
        const bool passing = !more && more.error().kind == ErrorKind::Passing;
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

void NodeWatch::setLooked() {
    const std::scoped_lock lock(mutex_);
    report_.looked = true;
}

// True when there may be more.
Result<bool> NodeWatch::lookAtLog(const std::stop_token& stop) {
    auto more = copy_.catchUp(node_.transport(), node_.logPath(), mostAtOnce, stop);
    const std::scoped_lock lock(mutex_);
    report_.logBytes = copy_.size();
    return more;
}

// No run fails for want of it.
void NodeWatch::lookAtTelemetry(const std::stop_token& stop) {
    const auto now = Clock::now();
    if (!telemetry_ || now < nextTelemetry_) {
        return;
    }
    nextTelemetry_ = now + telemetryEvery;
    (void)telemetry_->catchUp(node_.transport(), node_.telemetryPath(), mostAtOnce, stop);
}

Result<void> NodeWatch::lookAtTrainer(const std::stop_token& stop) {
    if (report().ended()) {
        return {};
    }
    bool dead = false;
    if (const auto now = Clock::now(); now >= nextLife_) {
        const auto alive = node_.alive(identity_, stop);
        if (!alive) {
            return Failure(alive.error());
        }
        dead = !*alive;
        nextLife_ = now + lifeEvery;
    }
    const auto code = node_.exitCode(stop);  // after the look at the process: a dead one has left its code
    if (!code) {
        return Failure(code.error());
    }
    const std::scoped_lock lock(mutex_);
    report_.exitCode = *code;
    report_.vanished = dead && !*code;
    return {};
}

}  // namespace dlperf::run
