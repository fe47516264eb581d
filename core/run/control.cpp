// SPDX-License-Identifier: Apache-2.0
#include "core/run/control.h"

#include <sys/signalfd.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/run/requests.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;

constexpr auto lookEvery = 200ms;

bool isIgnored(int number) {
    struct sigaction action {};
    return ::sigaction(number, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
           action.sa_handler == SIG_IGN;
}

}  // namespace

void reapChildren() {
    ::signal(SIGCHLD, SIG_DFL);
}

HeldSignals::HeldSignals(bool detached) {
    reapChildren();
    // A closed terminal or a full disk is an error to report, not a death.
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
    if (detached) {
        ::signal(SIGHUP, SIG_IGN);
    }
    sigemptyset(&held_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (!isIgnored(number)) {
            sigaddset(&held_, number);
        }
    }
    ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
    fd_ = ::signalfd(-1, &held_, SFD_NONBLOCK | SFD_CLOEXEC);
}

HeldSignals::~HeldSignals() {
    const bool isNested = sigismember(&before_, SIGTERM) == 1;
    while (!isNested && take() != nullptr) {  // else the program would end of it now
    }
    ::close(fd_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

const char* HeldSignals::take() const {
    signalfd_siginfo info{};
    if (::read(fd_, &info, sizeof info) != sizeof info) {
        return nullptr;
    }
    switch (info.ssi_signo) {
        case SIGINT:
            return "SIGINT";
        case SIGTERM:
            return "SIGTERM";
        default:
            return "SIGHUP";
    }
}

Control::Control(store::Workspace workspace, const HeldSignals& signals)
    : workspace_(std::move(workspace)), signals_(signals) {
    look();  // what was asked before counts before anything begins
    thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
}

void Control::close() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
    look();
}

std::string Control::cancelledBy() const {
    const std::scoped_lock lock(mutex_);
    return cancelledBy_;
}

std::string Control::cancelledBy(const std::string& runId) const {
    const std::scoped_lock lock(mutex_);
    return cancelledBy_.empty() && cancelledRuns_.contains(runId) ? "a request to cancel this run"
                                                                  : cancelledBy_;
}

std::set<std::string> Control::cancelledRuns() const {
    const std::scoped_lock lock(mutex_);
    return cancelledRuns_;
}

std::set<std::string> Control::keptRuns() const {
    const std::scoped_lock lock(mutex_);
    return keptRuns_;
}

void Control::cancelRuns(const std::set<std::string>& runIds) {
    const std::scoped_lock lock(mutex_);
    std::set_difference(runIds.begin(), runIds.end(), keptRuns_.begin(), keptRuns_.end(),
                        std::inserter(cancelledRuns_, cancelledRuns_.end()));
}

bool Control::paused() const {
    const std::scoped_lock lock(mutex_);
    return paused_;
}

std::optional<Error> Control::stuckRequest() const {
    const std::scoped_lock lock(mutex_);
    return stuckRequest_;
}

std::stop_token Control::runStop(const std::string& runId) {
    const std::scoped_lock lock(mutex_);
    currentRun_ = runId;
    currentStop_ = std::stop_source();
    stopCurrentIfAsked();
    return currentStop_.get_token();
}

void Control::wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time);
}

void Control::listen(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        look();
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, lookEvery, [] { return false; });
    }
}

void Control::look() {
    const char* signal = signals_.take();
    const auto [requests, stuck] = takeRequests(workspace_);
    if (signal == nullptr && requests.empty() && !stuck) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    stuckRequest_ = stuck ? stuck : stuckRequest_;
    if (signal != nullptr && cancelledBy_.empty()) {
        cancelledBy_ = signal;
    }
    for (const TakenRequest& request : requests) {
        switch (request.request) {
            case Request::Cancel:
                cancelledBy_ = cancelledBy_.empty() ? "a cancel request" : cancelledBy_;
                break;
            case Request::CancelRun:
                cancelledRuns_.insert(request.runId);
                keptRuns_.erase(request.runId);
                break;
            case Request::KeepRun:
                cancelledRuns_.erase(request.runId);
                keptRuns_.insert(request.runId);
                break;
            case Request::Pause:
                paused_ = true;
                break;
            case Request::Continue:
                paused_ = false;
                break;
        }
    }
    stopCurrentIfAsked();
    changed_.notify_all();
}

void Control::stopCurrentIfAsked() {
    if (!cancelledBy_.empty() || cancelledRuns_.contains(currentRun_)) {
        currentStop_.request_stop();
    }
}

}  // namespace dlperf::run
