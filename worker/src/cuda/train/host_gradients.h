// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/train/training_state.h"

namespace dlperf::worker::cuda {

// All gradients in this machine's memory, in fp32 and in the order of the store's layout, with the loss
// behind them: for reducing them there, and for looking at them. Each function waits until it is done.
template <typename T>
class HostGradients {
public:
    explicit HostGradients(TrainingState<T>& state);

    std::span<float> values() const { return {host_.at<float>(0), count_ + 1}; }

    // The store's, divided by the loss scale. False where one of them is not finite.
    bool download();
    // One step with these.
    void apply();

private:
    TrainingState<T>& state_;
    std::size_t count_;
    DeviceMemory device_;
    PinnedMemory host_;
};

extern template class HostGradients<float>;
extern template class HostGradients<__half>;
extern template class HostGradients<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
