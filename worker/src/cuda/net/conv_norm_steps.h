// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/net/conv_norm.h"
#include "cuda/net/work.h"
#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda {

// What both directions are made of, each step fused as its layer says. All start work in the
// stream and return. Inside a block `before` is the layer whose normalised, rectified output `layer`
// takes; else that input is stored.
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

    // `gradient` of the layer's normalised, rectified output becomes that of its x.
    void throughNormRelu(const ConvNorm<T>& layer, T* gradient) const;
    // Tells the observer what is started next.
    void begin(Work work, double bytes, double operations = 0) const;
    // Of work that reads or writes `tensors` of the shape, and perhaps a mask.
    void beginOn(Work work, Rows rows, double tensors, bool mask = false) const;
    void observeWith(WorkObserver* observer) { observer_ = observer; }

private:
    void convolve(Pass pass, const ConvNorm<T>& layer, const T* input, const T* output) const;
    void updateStatistics(const ConvNorm<T>& layer) const;
    void foldGradients(const ConvNorm<T>& layer, Branch branch) const;
    void updateStatisticsFromSums(const ConvNorm<T>& layer) const;
    void forwardStatistics(const ConvNorm<T>& layer, const T* input) const;
    void normForwardStatistics(const ConvNorm<T>& before, const ConvNorm<T>& layer) const;
    void normWeightGradient(const ConvNorm<T>& before, const ConvNorm<T>& layer, const T* gradient) const;
    void dataNormGradient(const ConvNorm<T>& before, const ConvNorm<T>& layer, const T* gradient,
                          T* dz) const;

    Operators& operators_;
    cudaStream_t stream_;
    bool frozenNorm_;
    float* scratch_;
    WorkObserver* observer_ = nullptr;
};

extern template class ConvNormSteps<float>;
extern template class ConvNormSteps<__half>;
extern template class ConvNormSteps<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
