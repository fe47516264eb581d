// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "data/source.h"

namespace dlperf::worker {

// One batch of noise, made at the start and given at every iteration: what is measured is computing alone.
class SyntheticSource final : public DataSource {
public:
    // Images in ImageNet's training set, so that epochs mean the same as with it.
    static constexpr std::uint64_t imageNetSize = 1281167;

    SyntheticSource(const Options& options, const World& world);
    Batch next() override { return {pixels_, labels_, 0}; }
    std::uint64_t epochSize() const override { return imageNetSize; }

private:
    std::vector<std::uint8_t> pixels_;
    std::vector<std::int32_t> labels_;
};

}  // namespace dlperf::worker
