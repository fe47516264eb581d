// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/world.h"
#include "comm/socket.h"

namespace dlperf::worker {

struct HeartbeatSettings {
    std::chrono::milliseconds interval{1000};
    // After this long without an answer rank 0 counts as lost. It has its own such time for the others.
    std::chrono::milliseconds silence{30000};
};

// For a rank that counts as lost after `timeout`: beats that are so much quicker that one may be late.
HeartbeatSettings heartbeatFor(std::chrono::milliseconds timeout);

// One rank's place among the living: tells rank 0's TcpStoreServer every second that this process is there,
// and hears from it which rank was lost first. Best made before all else that ranks do together, so that
// none can be lost unnoticed. A thread of its own does the talking; no function but the constructor and
// leave() waits.
class Heartbeat {
public:
    // Throws Failure(Rendezvous) where the server does not take this rank before the deadline.
    Heartbeat(const World& world, Deadline deadline, HeartbeatSettings settings = {});
    // Without leave() or fail() before, this rank is lost to the others: something unexpected ends it.
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    // How far training is; told with the next beat.
    void finished(std::int64_t steps) { steps_ = steps; }

    // Which other rank was lost and how, in one sentence: "rank 3 failed: …".
    std::optional<std::string> lost() const;

    // Tells the others why this rank ends. Only the first failure of a world counts.
    void fail(const std::string& reason);

    // Says goodbye: that this rank ends is no loss. Waits at most two seconds for it to arrive.
    void leave();

private:
    struct Ending {
        bool failed;
        std::string reason;
    };
    void work(const std::stop_token& stop);
    // Hears, beats and judges for as long as there is something to hear.
    void exchange(const std::stop_token& stop);
    void wait(Deadline until) const;
    // False where rank 0 said that there is nothing more to hear, or was lost.
    bool receive();
    bool parseInput();
    void send(std::string_view bytes);
    void sendFinalMessage();
    void lose(const std::string& reason);
    void end(Ending ending);
    std::optional<Ending> ending() const;

    HeartbeatSettings settings_;
    FileDescriptor socket_;
    FileDescriptor wakeUp_;
    std::atomic<std::int64_t> steps_{0};
    Deadline lastReceived_;  // when rank 0 last said something
    std::string input_;      // of the thread
    std::string output_;     // of the thread: what did not fit into the socket
    mutable std::mutex mutex_;
    std::optional<std::string> lost_;
    std::optional<Ending> ending_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace dlperf::worker
