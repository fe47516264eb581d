// SPDX-License-Identifier: Apache-2.0
// What the runner is asked to do while it works: by signals (INT, TERM; HUP unless it was detached) and by
// requests in the workspace. One thread looks for both several times a second.
#pragma once

#include <csignal>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "core/run/status.h"

namespace dlperf::run {

// Gives SIGCHLD its default back: where a starter ignored it, the exit codes of children would be lost.
void reapChildren();

// Blocks the signals that ask the program to end, so that Control alone reads them, but for those that the
// program's starter ignores (nohup; a shell's background): they stay ignored. Ignores SIGPIPE and SIGXFSZ.
// Made before any thread. Within the life of another one: what comes goes on to that one.
class HeldSignals {
public:
    // A detached runner does not care that its terminal goes.
    explicit HeldSignals(bool detached);
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    // The name of a signal that came ("SIGINT"), or null. Does not wait.
    const char* take() const;

private:
    sigset_t held_{};
    sigset_t before_{};
    int fd_ = -1;
};

class Control {
public:
    Control(store::Workspace workspace, const HeldSignals& signals);

    // Who asked for the end of everything ("a cancel request", "SIGINT"); empty if nobody did.
    std::string cancelledBy() const;
    // The same for one run; the whole campaign's cancel counts.
    std::string cancelledBy(const std::string& runId) const;
    // Runs that are to be cancelled or skipped, whatever becomes of the campaign.
    std::set<std::string> cancelledRuns() const;
    // Those of which that was taken back.
    std::set<std::string> keptRuns() const;
    // What an earlier runner was asked, unless it has been taken back since.
    void cancelRuns(const std::set<std::string>& runIds);
    bool paused() const;
    // A request that cannot be removed, and is ignored.
    std::optional<Error> stuckRequest() const;
    // Listens no more; cancelledBy() then also knows of what came since somebody last looked.
    void close();
    // A token that stops when this run is to be cancelled.
    std::stop_token runStop(const std::string& runId);
    // Returns after the time, or earlier when something is asked.
    void wait(std::chrono::milliseconds time);

private:
    void listen(const std::stop_token& stop);
    void look();
    void stopCurrentIfAsked();

    store::Workspace workspace_;
    const HeldSignals& signals_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string cancelledBy_;
    std::set<std::string> cancelledRuns_;
    std::set<std::string> keptRuns_;
    bool paused_ = false;
    std::optional<Error> stuckRequest_;
    std::string currentRun_;
    std::stop_source currentStop_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace dlperf::run
