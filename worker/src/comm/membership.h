// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace dlperf::worker {

// Which ranks are alive, as rank 0's server learns it. The first loss is kept: those after it are mostly its
// consequences.
class Membership {
public:
    using Time = std::chrono::steady_clock::time_point;

    // A member that has not been heard of for `silence` is lost.
    explicit Membership(std::chrono::milliseconds silence) : silence_(silence) {}

    // False where the rank is one already or cannot be one.
    bool join(int rank, Time now);
    void heartbeat(int rank, std::int64_t steps, Time now);
    // It says itself why it ends.
    void fail(int rank, const std::string& reason);
    // It ends as it should.
    void leave(int rank);
    // Its connection ended before it said anything of that.
    void vanish(int rank);
    // `now` must not be later than when what had arrived was last read: this process may have been stopped.
    void judge(Time now);

    bool has(int rank) const { return members_.count(rank) != 0; }
    // When the next member would be silent for too long, if any may be.
    std::optional<Time> nextSilence() const;
    const std::optional<std::string>& loss() const { return loss_; }

private:
    struct Member {
        Time heard;
        std::int64_t steps = 0;
    };
    void lose(int rank, const std::string& how);

    std::chrono::milliseconds silence_;
    std::map<int, Member> members_;
    std::optional<std::string> loss_;
};

// "30 s", "0.5 s".
std::string inSeconds(std::chrono::milliseconds time);

}  // namespace dlperf::worker
