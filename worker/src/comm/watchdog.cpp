// SPDX-License-Identifier: Apache-2.0
#include "comm/watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/failure.h"

namespace dlperf::worker {

Watchdog::Watchdog(WatchdogSettings settings, WatchdogActions actions)
    : settings_(std::move(settings)), actions_(std::move(actions)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
    }
    thread_.request_stop();
    changed_.notify_all();
    thread_.join();
}

void Watchdog::begin(std::int64_t step) {
    const std::lock_guard lock(mutex_);
    steps_.emplace(step, settings_.now());
}

void Watchdog::done(std::int64_t step) {
    const std::lock_guard lock(mutex_);
    steps_.erase(steps_.begin(), steps_.upper_bound(step));
    lastDone_ = settings_.now();
}

std::optional<std::string> Watchdog::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void Watchdog::watch(const std::stop_token& stop) {
    if (const std::optional<std::string> reason = findFailure(stop)) {
        handle(*reason);
    }
}

std::optional<std::string> Watchdog::findFailure(const std::stop_token& stop) {
    std::optional<std::string> found;
    std::chrono::steady_clock::time_point decision;
    while (!stop.stop_requested()) {
        if (std::optional<std::string> cause = actions_.cause()) {
            return cause;
        }
        const auto now = std::chrono::steady_clock::now();
        if (!found) {
            found = actions_.consequence();
            found = found ? found : slowStep();
            decision = now + settings_.causeTimeout;
        }
        if (found && now >= decision) {
            return found;
        }
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, settings_.interval, [] { return false; });
    }
    return std::nullopt;
}

std::optional<std::string> Watchdog::slowStep() const {
    const std::lock_guard lock(mutex_);
    if (steps_.empty()) {
        return std::nullopt;
    }
    const auto& [step, begun] = *steps_.begin();
    if (settings_.now() - std::max(begun, lastDone_) <= settings_.stepTimeout) {
        return std::nullopt;
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(settings_.stepTimeout).count();
    return "step " + std::to_string(step) + " was not done within " + std::to_string(seconds) +
           " s (--comm-timeout): this process or another is stuck";
}

void Watchdog::handle(const std::string& reason) {
    const auto end = std::chrono::steady_clock::now() + settings_.grace;
    {
        const std::lock_guard lock(mutex_);
        failure_ = reason;
    }
    changed_.notify_all();
    if (actions_.publish) {
        actions_.publish(reason);
    }
    // On a thread of its own, as an abort can be stuck as well.
    abort_ = std::jthread([this] {
        if (actions_.abort) {
            actions_.abort();
        }
        const std::lock_guard lock(mutex_);
        aborted_ = true;
        changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    if (changed_.wait_until(lock, end, [this] { return leaving_ && aborted_; })) {
        return;
    }
    lock.unlock();
    if (actions_.end) {
        actions_.end(reason);
    }
}

void endProcess(int rank, const std::string& reason) {
    const std::string line = "dlperf-worker: rank " + std::to_string(rank) + ": " + reason + "\n";
    // Not by way of stdio, whose lock the stuck thread may hold. There is nobody to tell that it failed.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    std::_Exit(static_cast<int>(ExitCode::Communication));
}

}  // namespace dlperf::worker
