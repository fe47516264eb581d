// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "cuda/kernels/kernels.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/memory.h"

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

// Receives what starts next, with the least it has to do: bytes of the device's memory read or written, and
// floating point operations of GEMMs (a multiplication and an addition are two).
using WorkObserver = std::function<void(Work work, double bytes, double operations)>;

// How a convolution is computed forward, and its weight gradient.
enum class ForwardFusion {
    Unfused,     // one after the other: what is in front, the convolution, its output's statistics
    Statistics,  // the convolution makes the statistics
    Prologue,    // and normalises what it reads. Inside a block so does the weight gradient, and y in front
                 // is not stored; behind a block its output is stored meanwhile, but not the mask.
};

// What is fused with a convolution.
struct FusionStrategy {
    ForwardFusion forward = ForwardFusion::Unfused;
    bool dataNorm = false;  // the data gradient goes on through the ReLU in front, with its sums

    bool operator==(const FusionStrategy&) const = default;
};

inline std::size_t elementsOf(Rows rows) {
    return rows.rows * rows.channels;
}

// A convolution and the normalisation behind it: all that they have in the device's memory.
template <typename T>
struct ConvNorm {
    dnn::ConvolutionShape shape;
    Rows rows{};  // of its output
    FusionStrategy fusion;
    T* filter = nullptr;
    T* filterGradient = nullptr;
    T* x = nullptr;  // the convolution's output
    T* y = nullptr;  // normalised, rectified; null where it is not stored
    NormMemory norm{};
    NormParameters parameters{};
    ParameterGradients gradients{};

    // Its output's, and its statistics'; the layer must not move until the arena has allocated it.
    void reserve(DeviceArena& arena) {
        arena.reserve(x, elementsOf(rows));
        for (float** const vector : {&norm.mean, &norm.inverseDeviation, &norm.scale, &norm.shift, &norm.gain,
                                     &norm.slope, &norm.offset}) {
            arena.reserve(*vector, rows.channels);
        }
    }
    // What a prologue behind it takes. Only __half has any.
    void reserveFolded(DeviceArena& arena) {
        arena.reserve(norm.folded.scale, rows.channels);
        arena.reserve(norm.folded.shift, rows.channels);
    }
};

// What meets at the end of a block.
template <typename T>
struct BlockEndLayers {
    const ConvNorm<T>& main;
    const ConvNorm<T>* around = nullptr;  // the shortcut's convolution; null: it has none
    const T* input = nullptr;             // the block's, which then is the shortcut
    std::uint8_t* mask = nullptr;         // of the ReLU behind

    BlockEnd<T> tensors() const {
        if (around == nullptr) {
            return {main.x, main.norm.mean, nullptr, nullptr};
        }
        return {main.x, main.norm.mean, around->x, around->norm.mean};
    }
};

// What both directions are made of, each step fused as its layer says. All start work in the stream and
// return. Inside a block `before` is the layer whose normalised, rectified output `layer` takes; else that
// input is stored.
template <typename T>
class ConvNormSteps {
public:
    // The operators outlive this. `scratch`: normScratchFloats() of the largest layer.
    ConvNormSteps(Operators& operators, cudaStream_t stream, bool frozenNorm, float* scratch)
        : operators_(operators), stream_(stream), frozenNorm_(frozenNorm), scratch_(scratch) {}

    // The convolution and the statistics of what it gives.
    void forward(const ConvNorm<T>& layer, const T* input) const;
    void forwardBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer) const;

    // The end of a block: what meets there is normalised, added and rectified; sets the mask.
    void endBlock(const BlockEndLayers<T>& end, T* output) const;
    // The same in one with the next block's first convolution, where that is its fusion; sets no mask.
    void forwardFromBlockEnd(const BlockEndLayers<T>& end, const ConvNorm<T>& layer, T* output) const;

    // `gradient` is of the layer's x.
    void weightGradient(const ConvNorm<T>& layer, const T* input, const T* gradient) const;
    void weightGradientBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer, const T* gradient) const;

    // Sets `inputGradient`.
    void dataGradient(const ConvNorm<T>& layer, const T* gradient, T* inputGradient) const;
    // Sets it to something that throughNormBehind() makes the gradient of before's x, in place.
    void dataGradientBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer, const T* gradient,
                            T* inputGradient) const;
    void throughNormBehind(const ConvNorm<T>& before, const ConvNorm<T>& layer, T* inputGradient) const;

    // At the end of a block, whose output's gradient is `dz` and, unless null, `other`: dz becomes the
    // gradient in front of the ReLU, and the layers have what throughBlockEnd() needs.
    void sumBlockEnd(const BlockEndLayers<T>& end, const T* other, T* dz) const;
    // The same from behind the next block's first convolution, where that is its fusion: sets dz.
    void dataGradientToBlockEnd(const BlockEndLayers<T>& end, const ConvNorm<T>& layer, const T* gradient,
                                const T* other, T* dz) const;
    // The gradients of the layers' x, the second one's only where there is one. One of them may be dz.
    void throughBlockEnd(const BlockEndLayers<T>& end, const T* dz, T* gradient, T* aroundGradient) const;

    // `gradient` in front of the layer's ReLU, whose sums are made, becomes that of its x.
    void throughSummedNorm(const ConvNorm<T>& layer, T* gradient) const;
    void begin(Work work, double bytes, double operations = 0) const;
    // Of work that reads or writes `tensors` of the shape, and perhaps a mask.
    void beginOn(Work work, Rows rows, double tensors, bool mask = false) const;
    void observeWith(const WorkObserver& observer) { observer_ = observer; }

private:
    // With the statistics, where the pass makes the sums for them.
    void convolve(Pass pass, const ConvNorm<T>& layer, const LayerTensors& tensors) const;
    void updateStatistics(const ConvNorm<T>& layer) const;
    void foldGradients(const ConvNorm<T>& layer, Branch branch) const;
    // `gradient` of the layer's normalised, rectified output becomes that of its x.
    void throughNormRelu(const ConvNorm<T>& layer, T* gradient) const;

    Operators& operators_;
    cudaStream_t stream_;
    bool frozenNorm_;
    float* scratch_;
    WorkObserver observer_;
};

}  // namespace dlperf::worker::cuda
