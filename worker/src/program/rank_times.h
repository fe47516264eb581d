// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/world.h"
#include "comm/rendezvous.h"

namespace dlperf::worker {

// Where the time of this rank's measured iterations went, and beside the other ranks' times what all lose to
// the slowest one: a rank that waits for gradients mostly waits for another rank.
class RankTimes {
public:
    // The first `warmup` iterations do not count, nor those after the first 4096 measured ones.
    explicit RankTimes(int warmup) : warmup_(warmup) {}

    // Times are seconds; `data` and `comm` are parts of `time`.
    void add(int iteration, double time, double data, double comm);

    // After the last iteration, by all ranks. Of rank 0 the lines for the log, "key: value"; empty of the
    // others, where nothing was measured, and where a rank did not tell its times soon.
    std::vector<std::string> exchange(const World& world, Rendezvous& rendezvous) const;

private:
    std::string encode() const;

    int warmup_;
    int last_ = 0;  // iteration that counts
    double time_ = 0;
    double data_ = 0;
    double comm_ = 0;
    std::vector<double> waits_;  // `comm` of each
};

// Each rank chooses what to fuse by the times of its own device (Backend::fusion()). Of rank 0 a line for the
// log for each rank whose choice is another; as RankTimes::exchange() else.
std::vector<std::string> otherFusions(const World& world, Rendezvous& rendezvous, const std::string& mine);

// The same of where each rank's images are decoded, "host" or "gpu (what decodes)", which follows from its
// own device too, and of what kept it from that, behind a semicolon.
std::vector<std::string> otherDecoders(const World& world, Rendezvous& rendezvous, const std::string& mine);

}  // namespace dlperf::worker
