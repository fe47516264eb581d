// SPDX-License-Identifier: Apache-2.0
// What the tests of losses share: runs of one series, and the parts of what they lose.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/report/loss.h"

namespace dlperf::report::test {

// Runs of one series whose figures follow from the times of their ranks.
class LossSeries {
public:
    // Each run is as this one, but for its topology and its figure.
    explicit LossSeries(RunResult like = {}) : like_(std::move(like)) {
        like_.benchmarkCase.configuration.batchSize = 10;
        like_.outcome = Outcome::Ok;
    }
    // Batch size 10 a device: an iteration of a second is 10 images/s a device.
    void add(const Topology& topology, std::vector<analysis::RankTimes> ranks, double exchange,
             std::vector<std::string> nodes = {}) {
        const analysis::RankTimes& first = ranks.front();
        addFigure(topology, 10.0 * topology.worldSize() / (first.compute + first.data + first.comm),
                  {.ranks = std::move(ranks), .exchange = exchange, .nodes = std::move(nodes)});
    }
    void addFigure(const Topology& topology, double throughput, analysis::StepTimes times = {}) {
        RunResult run = like_;
        run.benchmarkCase.topology = topology;
        run.throughput = throughput;
        results_.push_back(run);
        timed_.push_back({&results_.back(), std::move(times)});
    }
    RunResult& first() { return results_.front(); }
    RunResult& last() { return results_.back(); }

    [[nodiscard]] std::vector<Loss> losses(const HardwareBaselines& baselines = {}) const {
        return lossesOf(timed_, baselines);
    }
    [[nodiscard]] Loss loss(const HardwareBaselines& baselines = {}) const {
        const auto all = losses(baselines);
        EXPECT_EQ(all.size(), 1U);
        return all.empty() ? Loss() : all.front();
    }

private:
    RunResult like_;
    std::deque<RunResult> results_;
    std::vector<TimedRun> timed_;
};

inline const LossPart* find(const Loss&& loss, Cause cause) = delete;  // the part would be gone with it
inline const LossPart* find(const Loss& loss, Cause cause) {
    for (const LossPart& part : loss.parts) {
        if (part.cause == cause) {
            return &part;
        }
    }
    return nullptr;
}

inline bool has(const Loss& loss, Cause cause) {
    return find(loss, cause) != nullptr;
}

inline double shareOf(const Loss& loss, Cause cause) {
    const LossPart* part = find(loss, cause);
    return part == nullptr ? 0 : part->share;
}

inline double sumOf(const Loss& loss) {
    return std::accumulate(loss.parts.begin(), loss.parts.end(), 0.0,
                           [](double sum, const LossPart& part) { return sum + part.share; });
}

}  // namespace dlperf::report::test
