// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace dlperf::worker {

// Called from the watchdog's threads; none throws.
struct WatchdogActions {
    // Both return what is wrong, if anything, and do not wait: who was lost, and how the communication fails.
    std::function<std::optional<std::string>()> cause;
    std::function<std::optional<std::string>()> consequence;
    // Ends the communication under way, so that the training thread gets out. May take long.
    std::function<void()> abort;
    // Sends the reason to the other processes, without waiting.
    std::function<void(const std::string& reason)> publish;
    // The last resort, which ends the process.
    std::function<void(const std::string& reason)> end;
};

struct WatchdogSettings {
    using Time = std::chrono::steady_clock::time_point;

    std::chrono::milliseconds interval{100};  // between two checks
    std::chrono::milliseconds stepTimeout{120000};
    // How long to look for the cause of a known consequence.
    std::chrono::milliseconds causeTimeout{1000};
    std::chrono::milliseconds grace{10000};                      // from a failure to the last resort
    std::function<Time()> now = std::chrono::steady_clock::now;  // by which steps are timed
};

// Watches the training thread, which a lost peer can leave waiting in a library for ever. The first failure
// aborts the communication. A thread that has not destroyed this within the grace is ended with its process.
class Watchdog {
public:
    Watchdog(WatchdogSettings settings, WatchdogActions actions);
    // Waits for an abort that is under way, no longer than until the end of the grace.
    ~Watchdog();

    // Steps are numbered upwards; several may be under way. A step's time counts from the end of the one
    // before, if that is later than its beginning.
    void begin(std::int64_t step);
    // This step and all before it are done.
    void done(std::int64_t step);

    std::optional<std::string> failure() const;

private:
    void watch(const std::stop_token& stop);
    std::optional<std::string> findFailure(const std::stop_token& stop);
    std::optional<std::string> slowStep() const;
    void handle(const std::string& reason);

    WatchdogSettings settings_;
    WatchdogActions actions_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::int64_t, WatchdogSettings::Time> steps_;  // under way, and since when
    WatchdogSettings::Time lastDone_{};
    std::optional<std::string> failure_;
    bool aborted_ = false;
    bool leaving_ = false;  // the destructor has begun
    std::jthread abort_;
    std::jthread thread_;  // last: it uses everything above
};

// "dlperf-worker: rank 3: reason" to standard error, and the end with ExitCode::Communication, at once:
// destructors and buffers may belong to a thread that is stuck.
[[noreturn]] void endProcess(int rank, const std::string& reason);

}  // namespace dlperf::worker
