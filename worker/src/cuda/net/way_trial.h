// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device_arena.h"
#include "cuda/net/conv_norm_steps.h"

namespace dlperf::worker::cuda {

/// One convolution of fp16 with what is in front of it, in memory of its own, to start its steps in this way
/// or that as the network does. Its numbers are noise.
class WayTrial {
public:
    /// The products and the stream outlive this. Throws Failure(Backend, Memory).
    WayTrial(const dnn::ConvolutionShape& shape, Products& products, cudaStream_t stream);

    /// Forward where the input is stored.
    void forwardStored(ForwardWay way);
    /// Forward inside a block, and the weight gradient.
    void forwardInside(ForwardWay way);
    /// The data gradient inside a block, to the output of the convolution before.
    void dataGradient(bool dataNorm);

private:
    using T = __half;

    ConvNorm<T> bind(const dnn::ConvolutionShape& shape, Rows rows, std::size_t x, std::size_t vectors);
    ConvNormSteps<T> steps() const;

    Products& products_;
    cudaStream_t stream_;
    DeviceArena arena_;
    ConvNorm<T> before_;
    ConvNorm<T> layer_;
    T* gradient_ = nullptr;
    T* inputGradient_ = nullptr;
    float* scratch_ = nullptr;
};

}  // namespace dlperf::worker::cuda
