// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "cuda/kernels/kernels.h"
#include "net/resnet50.h"

namespace dlperf::worker::cuda::dnn {

// Images, channels, height, width: cuDNN's order, whatever the order in memory. A filter's: output channels,
// input channels, height, width.
using Dimensions = std::array<std::int64_t, 4>;

constexpr std::size_t elementsOf(const Dimensions& dimensions) {
    std::size_t count = 1;
    for (const std::int64_t dimension : dimensions) {
        count *= static_cast<std::size_t>(dimension);
    }
    return count;
}

// A convolution of square images with square filters, without dilation or groups.
struct ConvolutionShape {
    int batch = 0;
    int inChannels = 0;
    int outChannels = 0;
    int inSize = 0;  // pixels a side
    int outSize = 0;
    int kernel = 1;
    int stride = 1;
    int padding = 0;

    Dimensions input() const { return {batch, inChannels, inSize, inSize}; }
    Dimensions output() const { return {batch, outChannels, outSize, outSize}; }
    Dimensions filter() const { return {outChannels, inChannels, kernel, kernel}; }
    Rows inputRows() const {
        return {asIndex(batch) * asIndex(inSize) * asIndex(inSize), asIndex(inChannels)};
    }
    Rows outputRows() const {
        return {asIndex(batch) * asIndex(outSize) * asIndex(outSize), asIndex(outChannels)};
    }

    // "n256 c64 k64 in56 out56 r3 s1 p1"
    std::string text() const {
        const auto part = [](const char* name, int value) { return name + std::to_string(value); };
        return part("n", batch) + part(" c", inChannels) + part(" k", outChannels) + part(" in", inSize) +
               part(" out", outSize) + part(" r", kernel) + part(" s", stride) + part(" p", padding);
    }

    auto operator<=>(const ConvolutionShape&) const = default;
};

// Input channels are rounded up to a multiple of four, which concerns the stem: cuDNN has its fast engines
// for four channels, of which the fourth is zero.
inline ConvolutionShape shapeOf(const ConvLayer& layer, int batch) {
    return {.batch = batch,
            .inChannels = static_cast<int>(roundedUp(asIndex(layer.inChannels), 4)),
            .outChannels = layer.outChannels,
            .inSize = layer.inSize,
            .outSize = layer.outSize,
            .kernel = layer.kernel,
            .stride = layer.stride,
            .padding = layer.padding};
}

}  // namespace dlperf::worker::cuda::dnn

namespace dlperf::worker::cuda {

// What a layer with weights computes: its output, or one of the two gradients. Then, for convolutions of T =
// __half with statistics that are not frozen, the same together with the normalisations around it, so that
// fewer tensors are moved. "In front" is what a convolution's input is made of: a normalisation and a ReLU
// ("Norm"); or the end of the block before, where the shortcut is added between them ("Block"), normalised as
// well if it is a convolution's ("Dual").
//
// Data gradients find the ReLU's sign by the normalisation in fp32. Few elements, within rounding of zero,
// were on its other side forward, with the rounded `folded`; there either gradient is as good.
enum class Pass {
    Forward,
    DataGradient,
    WeightGradient,
    // Fused. A stored input, and the sums of the output.
    ForwardStatistics,
    NormForwardStatistics,   // the same, with the input made of what is in front
    BlockForwardStatistics,  // which in these two cases is stored too, as others take it
    DualForwardStatistics,
    NormWeightGradient,     // the weight gradient, with the input made again
    DataNormGradient,       // the data gradient, on through the ReLU in front
    BlockDataNormGradient,  // after what else takes the input has added its gradient
    DualDataNormGradient,
};

constexpr bool isFused(Pass pass) {
    return pass >= Pass::ForwardStatistics;
}

// A fully connected layer.
struct LinearShape {
    int batch = 0;
    int inputs = 0;
    int outputs = 0;
};

// A normalisation in front.
struct NormInFront {
    NormMemory norm{};
    NormParameters parameters{};
    ParameterGradients gradients{};
};

// A layer's tensors in the device's memory, each a multiple of 16 bytes. Forward passes set `output` to the
// product of `input` and `filter`; data gradients set `input` to the gradient of the input for that of the
// output, in `output`; weight gradients set `filter` to the gradient of the weights for `input` and the
// output's gradient, in `output`. What is set is overwritten, not added to. All but these three are of fused
// passes, not all of every one.
struct LayerTensors {
    void* input = nullptr;  // where something is in front: what the normalisation there is applied to
    void* filter = nullptr;
    void* output = nullptr;
    // Forward: set to the output's sums over all pixels of a channel, then those of the squares.
    float* sums = nullptr;
    // Data gradients, in place of `input`: set to the gradient in front of the ReLU, zero where that let
    // nothing through.
    void* dz = nullptr;
    // With its `folded` what is in front is made again forward and for the weight gradient, in fp32. Data
    // gradients read its mean, inverseDeviation and parameters, and set gain, slope, offset and gradients.
    NormInFront front{};
    // At the end of a block only.
    void* blockOutput = nullptr;    // forward: set
    void* otherGradient = nullptr;  // backward: of what else takes the block's output; it is added
    void* shortcut = nullptr;       // what is added, or what `around` is applied to
    NormInFront around{};           // with a normalised convolution: as `front`
};

// DLPERF_WORKER_FUSION.
enum class FusionPolicy {
    Never,     // nothing fused
    Measured,  // what is faster so
    Always,    // as much fused as there is
};
constexpr std::array<std::string_view, 3> fusionPolicyNames{"never", "measured", "always"};

// The network's convolutions and GEMMs, started in order in one stream. Elements are of the network's type T
// (float, __half or __nv_bfloat16), but a fully connected layer's output is float in Forward. Images are
// NHWC; filters are output channel, height, width, input channel, or output, input.
class Operators {
public:
    virtual ~Operators() = default;

    struct Wanted {
        Pass pass = Pass::Forward;
        dnn::ConvolutionShape shape;

        auto operator<=>(const Wanted&) const = default;
    };
    // Called before any run() of what it names: chooses plans and takes their memory. Throws
    // Failure(Backend, Memory), but not where there is no plan for a fused pass: then it does not have it.
    virtual void prepare(std::span<const Wanted> wanted) = 0;
    virtual bool has(const Wanted& one) const = 0;

    // Throw Failure(Backend). May be captured into a graph.
    virtual void run(const Wanted& one, const LayerTensors& tensors) = 0;
    virtual void run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) = 0;

    virtual FusionPolicy policy() const = 0;
    // Seconds that the device takes for the work of `start`, which uses so many `sets` of tensors in turn.
    // Waits for it.
    virtual double seconds(const std::function<void()>& start, std::size_t sets) = 0;
    // An earlier choice for the key on such a machine.
    virtual std::optional<int> remembered(const std::string& key) const = 0;
    virtual void remember(const std::string& key, int choice) = 0;

    // For the log's header: "cuDNN 9.19.0, cuBLAS 13.1.0".
    virtual std::string libraries() const = 0;
};

}  // namespace dlperf::worker::cuda
