// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/world.h"
#include "comm/socket.h"

namespace dlperf::worker {

// Which ranks are alive, on rank 0's server. It keeps the first loss: later ones are mostly its consequences.
class Membership {
public:
    using Time = std::chrono::steady_clock::time_point;

    // A member that sends no heartbeat for `silence` is lost.
    explicit Membership(std::chrono::milliseconds silence) : silence_(silence) {}

    // False where the rank is one already or cannot be one.
    bool join(int rank, Time now);
    void heartbeat(int rank, Time now);
    void fail(int rank, const std::string& reason);
    void leave(int rank);
    // Its connection ended before fail() or leave().
    void disconnect(int rank);
    // Nobody in particular is lost, but the world cannot come together.
    void refuse(const std::string& reason);
    // `now`: when messages were last read, as this process may have been stopped since.
    void checkTimeouts(Time now);

    bool has(int rank) const { return members_.count(rank) != 0; }
    std::optional<Time> nextTimeout() const;
    const std::optional<std::string>& loss() const { return loss_; }

private:
    void lose(int rank, const std::string& how);

    std::chrono::milliseconds silence_;
    std::map<int, Time> members_;  // and when they were last heard
    std::optional<std::string> loss_;
};

// Sends this rank's heartbeat to rank 0's TcpStoreServer and receives from it which rank was lost first. Make
// it before all else that ranks do together. It has a thread; only the constructor and leave() wait.
class Heartbeat {
public:
    // After `silence` without an answer rank 0 counts as lost; it has its own timeout for the others. Throws
    // Failure(Rendezvous) where the server does not take this rank before the deadline.
    Heartbeat(const World& world, Deadline deadline, std::chrono::milliseconds silence);
    // Without leave() or fail() before, the others see this rank as lost.
    ~Heartbeat();

    // Which other rank was lost and how, in one sentence: "rank 3 failed: …".
    std::optional<std::string> lost() const;

    // Tells the others why this rank ends. Only the first failure of a world counts.
    void fail(const std::string& reason);

    // Ends this rank without a loss. Waits at most two seconds for the message to arrive.
    void leave();

private:
    void work(const std::stop_token& stop);
    void exchange(const std::stop_token& stop);
    // True where there is something of rank 0's to read.
    bool wait(Deadline until) const;
    // One message. False where rank 0 ended or was lost.
    bool receive();
    void sendFinalMessage();
    void lose(const std::string& reason);
    // Only the first final message counts.
    void end(std::string finalMessage);
    std::optional<std::string> finalMessage() const;

    std::chrono::milliseconds silence_;
    FileDescriptor socket_;
    FileDescriptor wakeUp_;
    bool answered_ = true;  // of the thread: the last heartbeat was
    mutable std::mutex mutex_;
    std::optional<std::string> lost_;
    std::optional<std::string> finalMessage_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace dlperf::worker
