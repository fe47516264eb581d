// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "backend/backend.h"
#include "base/numbers.h"
#include "cuda/kernels/kernels.h"
#include "cuda/net/choose_fusion.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/net/parameter_store.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/memory.h"
#include "net/resnet50.h"

namespace dlperf::worker::cuda {

// A batch in the device's memory, as decoded.
struct DeviceBatch {
    const std::uint8_t* pixels = nullptr;  // image, row, column, RGB
    const std::int32_t* labels = nullptr;
    const std::uint8_t* flips = nullptr;  // a byte an image: not 0 where it is to be mirrored
};

// ResNet50 on a GPU: one pass forward and one back, activations of type T (float, __half or __nv_bfloat16) in
// NHWC. All functions start work in the stream and return; what they start is the same every time, so that it
// can be captured into a graph.
//
// Kept for the backward pass: what every convolution gives (x) and what it takes (y), and of every block's
// end a mask, one bit an element, of where the ReLU let it through. Inside a block the mask is made again
// from x, which is read anyway. Where it measures faster y is made again too, and the end of a block is a
// part of the convolution behind it, forward and back (see FusionStrategy).
template <typename T>
class Network {
public:
    // The others outlive this. Takes the memory it needs. The store has no parameters yet: they are zero, and
    // are so again after what is timed here with others. Throws Failure(Backend, Memory).
    Network(const ResNet50& net, const Problem& problem, const ParameterStore<T>& store, Operators& operators,
            cudaStream_t stream);

    // Sets the store's loss. What goes backwards is multiplied by *lossScale; null: by 1.
    void forward(const DeviceBatch& batch, const float* lossScale);

    // Called when the gradients of the weights from `first` (an offset in the store's layout) to the end are
    // final, once what has been started is done.
    using GradientsReady = std::function<void(std::size_t first)>;
    // Sets all gradients; those of the vectors are final at its end.
    void backward(const GradientsReady& ready);

    // What is fused and why, for the log.
    const std::string& fusion() const { return fusion_.text; }

    void observeWith(const WorkObserver& observer) { steps_->observeWith(observer); }

private:
    struct BlockMemory {
        T* output = nullptr;
        std::uint8_t* mask = nullptr;  // of the ReLU at its end
    };

    std::vector<Operators::Wanted> wantedOperators() const;
    FusionChoice timePasses(const FusionCandidates& candidates);
    void takeMemory(const FusionCandidates& candidates);
    void reserveLayers(const FusionCandidates& candidates);
    void reserveActivations();
    void fuse(const FusionStrategies& strategies);

    void linear(Pass pass);
    void forwardStem(const DeviceBatch& batch);
    void forwardBlock(std::size_t index);
    void forwardHead(const DeviceBatch& batch, const float* lossScale);

    void backwardHead(const GradientsReady& ready);
    void backwardBlock(std::size_t index, const GradientsReady& ready);
    void backwardStem(const GradientsReady& ready);
    void finishLayer(int layer, const T* input, const T* outputGradient, T* inputGradient,
                     const GradientsReady& ready);
    void finishInner(int before, int layer, const T* outputGradient, T* inputGradient,
                     const GradientsReady& ready);

    const ConvNorm<T>& layer(int index) const { return layers_[static_cast<std::size_t>(index)]; }
    T* gradient(int buffer) const { return buffers_[asIndex(buffer)]; }
    BlockEndLayers<T> endOf(std::size_t block) const;
    bool hasPrologue(int index) const { return layer(index).fusion.forward == ForwardFusion::Prologue; }
    // Its end is computed in the next one's first convolution.
    bool endsInNext(std::size_t block) const {
        return block + 1 < net_.blocks.size() && hasPrologue(net_.blocks[block + 1].conv1);
    }
    // Backwards its first convolution goes on through the end of the block before.
    bool reachesBlockBefore(std::size_t block) const {
        return block > 0 && block < net_.blocks.size() && layer(net_.blocks[block].conv1).fusion.dataNorm;
    }
    T* blockInput(std::size_t index) const { return index == 0 ? pooled_ : blocks_[index - 1].output; }
    LinearShape linearShape() const;
    LossShape lossShape() const;
    std::size_t weightOf(int index) const { return static_cast<std::size_t>(index) * 3; }
    std::size_t linearWeight() const { return layers_.size() * 3; }

    ResNet50 net_;
    Problem problem_;
    const ParameterStore<T>& store_;
    Operators& operators_;
    cudaStream_t stream_;
    GradientBuffers plan_;

    FusionChoice fusion_;
    std::vector<ConvNorm<T>> layers_;
    DeviceArena arena_;
    std::optional<ConvNormSteps<T>> steps_;  // made when there is memory
    std::vector<BlockMemory> blocks_;
    T* input_ = nullptr;
    T* pooled_ = nullptr;
    std::uint8_t* winners_ = nullptr;
    T* features_ = nullptr;
    T* featureGradients_ = nullptr;
    float* logits_ = nullptr;
    T* logitGradients_ = nullptr;  // what the loss leaves behind: in fp32 in place of the logits
    float* scratch_ = nullptr;
    std::array<T*, gradientBufferCount> buffers_{};
};

}  // namespace dlperf::worker::cuda
