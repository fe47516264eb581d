// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace dlperf::worker::cuda {

// What a step's time goes to. Work that is fused with a convolution counts as the convolution's.
enum class Work {
    Pixels,
    ConvolutionForward,
    ConvolutionDataGradient,
    ConvolutionWeightGradient,
    Statistics,
    NormForward,   // with the ReLU, and with the shortcut
    NormSums,      // backward: the sums over pixels
    NormGradient,  // backward: the gradient of what was normalised
    Pooling,
    Linear,
    Loss,
    Optimizer,
};

// Told what is started next, with what it has to do at least: bytes of the device's memory read or written,
// and floating point operations of matrix products (a multiplication and an addition are two).
class WorkObserver {
public:
    virtual ~WorkObserver() = default;
    virtual void begin(Work work, double bytes, double operations) = 0;
};

}  // namespace dlperf::worker::cuda
