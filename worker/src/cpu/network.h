// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "base/numbers.h"
#include "cpu/kernels.h"
#include "cpu/weighted_layer.h"
#include "net/batch_norm.h"
#include "net/resnet50.h"

namespace dlperf::worker::cpu {

// One zeroed block of memory that is cut into tensors, each on a cache line of its own and, where the system
// allows it, on huge pages. Sizes are reserved first, then the block is made, then the tensors are taken.
class Arena {
public:
    static constexpr std::size_t alignment = 64;

    // Returns the offset of `bytes` more, at a multiple of alignment.
    std::size_t reserve(std::size_t bytes) {
        const std::size_t offset = bytes_;
        bytes_ += roundedUp(bytes, alignment);
        return offset;
    }
    std::size_t bytes() const { return bytes_; }

    // Throws std::bad_alloc.
    void allocate();

    template <typename T>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(block_.get() + offset);
    }

private:
    struct Free {
        void operator()(std::byte* block) const;
    };
    std::unique_ptr<std::byte, Free> block_;
    std::size_t bytes_ = 0;
};

// Master weights, momentum and gradients of all parameters: three arenas of the same layout, so that the
// update is one loop and a bucket of gradients one piece. Behind the gradients is one element more, the loss.
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

// Batch normalisation of one layer's channels, without the passes over its activations: those are in
// kernels.h, fused with what comes next. Here sums become statistics and coefficients. All of it is fp32,
// sums are double.
class BatchNorm {
public:
    // `frozen`: normalise with frozenMoments().
    BatchNorm(Rows shape, bool frozen);

    // Where its parameters and their gradients lie.
    void bind(const float* gamma, const float* beta, float* gammaGradient, float* betaGradient);

    const Rows& shape() const { return shape_; }
    const float* mean() const { return mean_.data(); }
    Affine affine() const { return {scale_.data(), shift_.data()}; }
    NormGradient gradient() const { return {gain_.data(), slope_.data(), offset_.data()}; }

    // The statistics of x, and with them affine().
    template <typename T>
    void updateStatistics(const ActivationKernels<T>& run, const T* x, Scratch scratch, double* sums);

    // From the sums over rows of dz and of dz * (x - mean): the parameters' gradients, and gradient().
    void foldGradients(const double* dzSums, const double* dzCentredSums);

private:
    void setAffine(std::size_t channel, Moments moments);

    Rows shape_;
    bool frozen_;
    const float* gamma_ = nullptr;
    const float* beta_ = nullptr;
    float* gammaGradient_ = nullptr;
    float* betaGradient_ = nullptr;
    std::vector<float> mean_, inverseDeviation_;
    std::vector<float> scale_, shift_;
    std::vector<float> gain_, slope_, offset_;
};

// ResNet50 on a CPU: one pass forward and one back, activations of type T in NHWC.
//
// Kept for the backward pass: what every convolution gives (x) and what it takes (y).
template <typename T>
class Network {
public:
    Network(const ResNet50& net, const Problem& problem, ParameterStore& store);

    // The 53 convolutions, then the last layer.
    const std::vector<WeightedLayer>& layers() const { return layers_; }
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

}  // namespace dlperf::worker::cpu
