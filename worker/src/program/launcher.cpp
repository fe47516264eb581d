// SPDX-License-Identifier: Apache-2.0
#include "program/program.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

using Clock = std::chrono::steady_clock;

// After SIGTERM, before SIGKILL.
constexpr std::chrono::seconds killDelay{5};

struct Child {
    pid_t pid;
    int rank;
};

// The world as rank 0 of this node sees it.
World planWorld(const Options& options) {
    if (processEnvironment("RANK") && processEnvironment("WORLD_SIZE")) {
        throw Failure(
            ExitCode::Usage,
            "--devices and --nodes start processes, but RANK and WORLD_SIZE in the environment say that "
            "this is one already; use one or the other");
    }
    const int devices = options.devices.value_or(1);
    const int nodes = options.nodes.value_or(1);
    const auto address = processEnvironment("MASTER_ADDR");
    if (nodes > 1 && !address) {
        throw Failure(ExitCode::Usage,
                      "--nodes " + std::to_string(nodes) +
                          " needs MASTER_ADDR in the environment: the address of the first node");
    }
    World world;
    world.masterPort =  // on one node any free one does
        masterPortIn(processEnvironment, nodes == 1 ? std::uint16_t{0} : world.masterPort);
    world.masterAddress = address.value_or(world.masterAddress);
    world.size = devices * nodes;
    world.rank = options.nodeRank * devices;
    world.localSize = devices;
    return world;
}

// What the parent does for its children, in one thread, by waiting for signals.
class Parent {
public:
    Parent() {
        sigemptyset(&signals_);
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) {
            sigaddset(&signals_, signal);
        }
        sigprocmask(SIG_BLOCK, &signals_, &original_);
    }

    void add(Child child) { children_.push_back(child); }
    void restoreSignals() const { sigprocmask(SIG_SETMASK, &original_, nullptr); }

    int wait() {
        while (!children_.empty()) {
            const int signal = nextSignal();
            if (signal == SIGCHLD || signal < 0) {
                reap();
            } else if (result_ == 0) {
                result_ = 128 + signal;
                end(signal);
            }
            if (ending_ && Clock::now() >= killAt_) {
                sendAll(SIGKILL);
            }
        }
        return result_;
    }

    // Ends what was started where starting the rest failed.
    void abandon() {
        sendAll(SIGKILL);
        result_ = 1;
        wait();
    }

private:
    // Negative where none came for a while.
    int nextSignal() const {
        const timespec pause{0, 200'000'000};
        return sigtimedwait(&signals_, nullptr, &pause);
    }

    void reap() {
        int status = 0;
        for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
            const auto child = std::find_if(children_.begin(), children_.end(),
                                            [pid](const Child& c) { return c.pid == pid; });
            if (child == children_.end()) {
                continue;
            }
            const Child ended = *child;
            children_.erase(child);
            if (status != 0 && result_ == 0) {
                fail(ended, status);
            }
        }
    }

    void fail(const Child& child, int status) {
        const bool killed = WIFSIGNALED(status);
        const int number = killed ? WTERMSIG(status) : WEXITSTATUS(status);
        result_ = killed ? 128 + number : number;
        const std::string how = killed ? std::string("was ended by signal ") + std::to_string(number) + " (" +
                                             strsignal(number) + ")"
                                       : "ended with exit code " + std::to_string(number);
        std::fprintf(stderr, "dlperf-worker: rank %d (process %d) %s; ending the others\n", child.rank,
                     static_cast<int>(child.pid), how.c_str());
        end(SIGTERM);
    }

    void end(int signal) {
        sendAll(signal);
        ending_ = true;
        killAt_ = Clock::now() + killDelay;
    }

    void sendAll(int signal) const {
        for (const Child& child : children_) {
            kill(child.pid, signal);
        }
    }

    sigset_t signals_{};
    sigset_t original_{};
    std::vector<Child> children_;
    int result_ = 0;
    bool ending_ = false;
    Clock::time_point killAt_;
};

// In the child: to be what it would be if it had been started by hand, but for dying with its parent.
void becomeDevice(const Parent& parent, pid_t parentPid) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parentPid) {
        std::_Exit(128 + SIGKILL);  // it died before the line above
    }
    parent.restoreSignals();
}

}  // namespace

int launch(const Options& options, const DeviceMain& deviceMain) {
    const World first = planWorld(options);
    FileDescriptor listener;
    World world = first;
    if (options.nodeRank == 0) {
        // Opened here so that a free port is still free when rank 0 needs it.
        listener = listenAt(world.masterAddress, world.masterPort);
        world.masterPort = portOf(listener);
    }

    Parent parent;
    const pid_t parentPid = getpid();
    for (int device = 0; device < first.localSize; ++device) {
        world.localRank = device;
        world.rank = first.rank + device;
        const pid_t pid = fork();
        if (pid < 0) {
            const std::string reason = std::strerror(errno);
            parent.abandon();
            throw Failure(ExitCode::Internal, "cannot start a process: " + reason);
        }
        if (pid == 0) {
            becomeDevice(parent, parentPid);
            if (world.rank != 0) {
                listener = {};
            }
            return deviceMain(world, options, std::move(listener));
        }
        parent.add({pid, world.rank});
    }
    listener = {};
    const int result = parent.wait();
    parent.restoreSignals();
    return result;
}

}  // namespace dlperf::worker
