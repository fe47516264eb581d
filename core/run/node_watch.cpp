// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_watch.h"

#include <algorithm>
#include <utility>

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto lifeEvery = 1s;  // how often the trainer's process is looked at
constexpr auto longestBackOff = 10s;

}  // namespace

NodeWatch::NodeWatch(NodeRun& node, Identity identity, LogCopy copy, std::chrono::milliseconds poll)
    : node_(node), identity_(std::move(identity)), copy_(std::move(copy)), poll_(poll) {
    report_.logBytes = copy_.size();
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
        auto done = lookAtTrainer();  // before the log, so that an ended trainer's log is seen whole
        if (done) {
            done = lookAtLog(stop);
        }
        std::unique_lock lock(mutex_);
        const bool passing = !done && done.error().kind == ErrorKind::Passing;
        report_.looked = true;
        report_.unreachable = passing ? std::optional(done.error()) : std::nullopt;
        if (!done && !passing && !stop.stop_requested()) {
            report_.error = done.error();
            return;
        }
        nap = passing ? std::min<std::chrono::milliseconds>(nap * 2, longestBackOff) : poll_;
        wake_.wait_for(lock, stop, nap, [] { return false; });
    }
}

Result<void> NodeWatch::lookAtLog(const std::stop_token& stop) {
    auto done = copy_.catchUp(node_.transport(), node_.logPath(), stop);
    const std::scoped_lock lock(mutex_);
    report_.logBytes = copy_.size();
    return done;
}

Result<void> NodeWatch::lookAtTrainer() {
    if (report().ended()) {
        return {};
    }
    bool dead = false;
    if (const auto now = Clock::now(); now >= nextLife_) {
        const auto alive = node_.alive(identity_);
        if (!alive) {
            return Failure(alive.error());
        }
        dead = !*alive;
        nextLife_ = now + lifeEvery;
    }
    const auto code = node_.exitCode();  // after the look at the process: a dead one has left its code
    if (!code) {
        return Failure(code.error());
    }
    const std::scoped_lock lock(mutex_);
    report_.exitCode = *code;
    report_.vanished = dead && !*code;
    return {};
}

}  // namespace dlperf::run
