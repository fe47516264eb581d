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

// Each rank chooses by its own device what to fuse (Backend::fusion()) and where its images are decoded. Of
// rank 0 a line for the log, "rank 1 fuses always, by 4 ms", for each rank whose choice, the text up to the
// mark, is another than `mine`; as RankTimes::exchange() else.
std::vector<std::string> othersThan(const std::string& mine, char mark, const std::string& verb,
                                    const World& world, Rendezvous& rendezvous);

}  // namespace dlperf::worker
