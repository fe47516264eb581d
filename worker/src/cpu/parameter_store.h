// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cpu/arena.h"

namespace dlperf::worker::cpu {

// Master weights, momentum and gradients of all parameters: three arenas of the same layout, so that the
// update is one loop and a bucket of gradients one piece. Behind the gradients is one element more, the
// loss.
class ParameterStore {
public:
    // Adds the next parameter, `count` floats.
    void add(std::size_t count);

    std::size_t bytes() const { return 3 * weights_.bytes() + Arena::alignment; }
    void allocate();

    float* weights(std::size_t parameter) const { return weights_.at<float>(0) + offsets_[parameter]; }
    float* gradients(std::size_t parameter) const { return gradients_.at<float>(0) + offsets_[parameter]; }
    float* momentum() const { return momentum_.at<float>(0); }

    std::size_t count() const { return weights_.bytes() / sizeof(float); }
    // Of each parameter, in floats.
    std::span<const std::size_t> offsets() const { return offsets_; }
    std::span<float> gradientsAndLoss() const { return {gradients_.at<float>(0), count() + 1}; }

private:
    Arena weights_;
    Arena momentum_;
    Arena gradients_;
    std::vector<std::size_t> offsets_;
};

}  // namespace dlperf::worker::cpu
