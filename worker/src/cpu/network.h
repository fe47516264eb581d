// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "cpu/arena.h"
#include "cpu/batch_norm.h"
#include "cpu/engine.h"
#include "cpu/kernels.h"
#include "cpu/parameter_store.h"
#include "cpu/weighted_layer.h"
#include "net/gradient_buffers.h"
#include "net/resnet50.h"

namespace dlperf::worker::cpu {

// ResNet50 on a CPU: one pass forward and one back, activations of type T in NHWC.
//
// Kept for the backward pass: what every convolution gives (x) and what it takes (y).
template <typename T>
class Network {
public:
    Network(const ResNet50& net, const Problem& problem, ParameterStore& store);
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    const std::vector<WeightedLayer>& layers() const {
        return layers_;
    }  // the 53 convolutions, then the last layer
    std::size_t bytes() const;
    // Allocates, and binds all tensors to all primitives. `store` is allocated by now.
    void build();

    // Returns the loss.
    float forward(const Batch& batch);
    void backward(const Backend::GradientsReady& ready);
    void refreshWeightCopies();

private:
    void reserveActivations();
    void bindTensors();
    void bindLayer(std::size_t layer, LayerMemory memory);

    const T* convolve(int layer);
    void normRelu(int layer, T* y);
    void forwardBlock(std::size_t index);
    void backwardBlock(std::size_t index, const Backend::GradientsReady& ready);
    void throughNormRelu(int layer, T* gradient);
    void finishLayer(int layer, const Backend::GradientsReady& ready);

    std::size_t elements(int layer) const;
    T* at(std::size_t offset) const { return activations_.template at<T>(offset); }
    T* gradient(int buffer) const { return working_.template at<T>(buffers_[buffer]); }
    T* logitGradient() const;

    ResNet50 net_;
    Problem problem_;
    ParameterStore& store_;
    const ActivationKernels<T>& run_;
    GradientBuffers plan_;
    Engine engine_;
    std::vector<WeightedLayer> layers_;
    std::vector<BatchNorm> norms_;

    Arena activations_;
    Arena copies_;                          // weights in the layouts that the primitives want
    Arena working_;                         // gradients of activations, scratchpads
    std::vector<std::size_t> convOutputs_;  // x of each convolution
    std::vector<std::size_t> convInputs_;   // y made of it, for conv1 and conv2 of blocks
    std::vector<std::size_t> blockOutputs_;
    std::vector<std::pair<std::size_t, std::size_t>> copyOffsets_;
    std::size_t input_ = 0, pooled_ = 0, winners_ = 0, features_ = 0, logits_ = 0, logitGradients_ = 0;
    std::size_t featureGradients_ = 0;
    std::size_t buffers_[gradientBufferCount] = {};

    std::size_t partials_ = 0, perThread_ = 0, scratchpad_ = 0;

    std::vector<double> sums_;
    Scratch scratch_{};
};

extern template class Network<float>;
extern template class Network<Bf16>;

}  // namespace dlperf::worker::cpu
