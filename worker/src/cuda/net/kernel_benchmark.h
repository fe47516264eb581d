// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/net/conv_norm_steps.h"
#include "cuda/runtime/device_arena.h"

namespace dlperf::worker::cuda {

// What is in front of a convolution.
enum class ConvPosition {
    Stored,       // its input is stored, and its gradient is too
    Inside,       // another convolution's normalisation and reluMask, in the same block
    BehindBlock,  // the end of a block; what that gave is stored as well
    BehindDual,   // of a block with a convolution in its shortcut
};

// One convolution of fp16 with what is in front of it, in memory of its own, to start its steps as the
// network does, with any fusion. Its numbers are noise.
class KernelBenchmark {
public:
    // The products and the stream outlive this. Throws Failure(Backend, Memory).
    KernelBenchmark(ConvPosition position, const dnn::ConvolutionShape& shape, Operators& operators,
                    cudaStream_t stream);

    // Forward from what is in front; inside a block with the weight gradient, which has the same fusion.
    void forward(ForwardFusion choice);
    // The data gradient: inside a block to the output of the convolution before, behind one until what its
    // end's normalisations take is known.
    void dataGradient(bool dataNorm);

private:
    using T = __half;

    struct Memory {
        std::size_t x = 0;
        std::size_t vectors = 0;
    };
    void normalise(const ConvNorm<T>& layer) const;
    Memory reserve(Rows rows);
    ConvNorm<T> bind(const dnn::ConvolutionShape& shape, Rows rows, const Memory& memory) const;
    bool isBehindBlock() const {
        return position_ == ConvPosition::BehindBlock || position_ == ConvPosition::BehindDual;
    }
    BlockEndLayers<T> blockEnd() const;
    ConvNormSteps<T> steps() const;

    ConvPosition position_;
    Operators& operators_;
    cudaStream_t stream_;
    DeviceArena arena_;
    ConvNorm<T> before_;
    ConvNorm<T> around_;  // behind a dual block
    ConvNorm<T> layer_;
    T* gradient_ = nullptr;
    T* inputGradient_ = nullptr;
    // Behind a block.
    T* otherGradient_ = nullptr;
    T* shortcut_ = nullptr;
    std::uint8_t* mask_ = nullptr;
    float* scratch_ = nullptr;
};

}  // namespace dlperf::worker::cuda
