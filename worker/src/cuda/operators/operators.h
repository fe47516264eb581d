// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <span>
#include <string>

#include "cuda/operators/convolution_shape.h"

namespace dlperf::worker::cuda {

class FusedOperators;

// What a layer with weights computes: its output, or one of the two gradients.
enum class Pass { Forward, DataGradient, WeightGradient };

// A fully connected layer.
struct LinearShape {
    int batch = 0;
    int inputs = 0;
    int outputs = 0;

    auto operator<=>(const LinearShape&) const = default;
};

// A layer's tensors in the device's memory, each a multiple of 16 bytes. Forward sets `output` to the
// product of `input` and `filter`; DataGradient sets `input` to the gradient of the input for that of the
// output, in `output`; WeightGradient sets `filter` to the gradient of the weights for `input` and the
// output's gradient, in `output`. What is set is overwritten, not added to.
struct LayerTensors {
    void* input = nullptr;
    void* filter = nullptr;
    void* output = nullptr;
};

// The matrix products of the network, in one stream: started in their order, done later. Elements are of the
// network's type T (float, __half or __nv_bfloat16), but a fully connected layer's output is float in
// Forward. Images are NHWC; filters are output channel, height, width, input channel, or output, input.
class Operators {
public:
    virtual ~Operators() = default;

    // Called once, before any run(): chooses the ways to compute, and takes the memory that they need.
    // Nothing that is not named here can be run. Throws Failure(Backend, Memory).
    struct Wanted {
        Pass pass = Pass::Forward;
        dnn::ConvolutionShape shape;
    };
    virtual void prepare(std::span<const Wanted> wanted) = 0;

    // Throw Failure(Backend). May be captured into a graph.
    virtual void run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) = 0;
    virtual void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) = 0;

    // Null where there is nothing fused for T. Lives as long as this.
    virtual FusedOperators* fused() { return nullptr; }

    // For the log's header: "cuDNN 9.19.0, cuBLAS 13.1.0".
    virtual std::string libraries() const = 0;
};

}  // namespace dlperf::worker::cuda
