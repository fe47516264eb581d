// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cuda/kernels/batch_norm.h"
#include "cuda/operators/convolution_shape.h"

namespace dlperf::worker::cuda {

// A convolution together with the normalisations around it, so that fewer tensors are moved. "In front" is
// what its input is made of: a normalisation and a ReLU ("Norm"); or the end of the block before, where
// the shortcut is added between them ("Block"), normalised as well if it is a convolution's ("Dual").
enum class FusedPass {
    ForwardStatistics,       // the convolution of a stored input, and the sums of its output
    NormForwardStatistics,   // the same, with the input made of what is in front
    BlockForwardStatistics,  // which in these two cases is stored too, as others take it
    DualForwardStatistics,
    NormWeightGradient,     // the weight gradient, with the input made again
    DataNormGradient,       // the data gradient, on through the ReLU in front
    BlockDataNormGradient,  // after what else takes the input has added its gradient
    DualDataNormGradient,
};

// A normalisation in front.
struct NormInFront {
    NormMemory norm{};
    NormParameters parameters{};
    ParameterGradients gradients{};
};

// Tensors of fp16 in the device's memory, as those of LayerTensors, and vectors; not all are of every pass.
struct FusedTensors {
    const __half* input = nullptr;  // stored; else what the normalisation in front is applied to
    __half* filter = nullptr;       // NormWeightGradient sets its gradient there
    __half* output = nullptr;       // what goes backwards reads its gradient there
    // Forward: set to the output's sums over all pixels of a channel, then those of the squares.
    float* sums = nullptr;
    // Data gradients, as all below: set to the gradient in front of the ReLU, zero where that let
    // nothing through.
    __half* dz = nullptr;
    // With its `folded` what is in front is made again forward and for the weight gradient, in fp32. Data
    // gradients read its mean, inverseDeviation and parameters, and set gain, slope, offset and gradients.
    NormInFront front{};
    // At the end of a block only.
    __half* blockOutput = nullptr;          // forward: set
    const __half* otherGradient = nullptr;  // backward: of what else takes the block's output; it is added
    const __half* shortcut = nullptr;       // what is added, or what `around` is applied to
    NormInFront around{};                   // with a normalised convolution: as `front`
};

// Which ways the network takes where there are several.
enum class FusionPolicy {
    Measured,  // the fastest
    Never,     // nothing fused
    Always,    // as much fused as there is
};

// What some libraries can on some GPUs besides Operators, for T = __half and statistics that are not frozen.
// Started in the operators' stream.
//
// Data gradients tell where the ReLU let through by the normalisation in fp32; what was computed
// forward from the rounded `folded` may be on the other side of zero where it is within rounding of it. Of
// few elements it is, and there the ReLU's gradient is as good as either.
class FusedOperators {
public:
    virtual ~FusedOperators() = default;

    struct Wanted {
        FusedPass pass = FusedPass::ForwardStatistics;
        dnn::ConvolutionShape shape;

        auto operator<=>(const Wanted&) const = default;
    };
    // Called once, behind Operators::prepare(): finds ways to compute what is wanted, as far as there are
    // any.
    virtual void prepare(std::span<const Wanted> wanted) = 0;
    virtual bool has(const Wanted& one) const = 0;

    // Of what it has. Throws Failure(Backend). May be captured into a graph.
    virtual void run(const Wanted& one, const FusedTensors& tensors) = 0;

    virtual FusionPolicy policy() const { return FusionPolicy::Measured; }
    // Seconds that the device takes for the work that `start` starts. Waits for it.
    virtual double seconds(const std::function<void()>& start) = 0;
    // What was chosen for the key on such a machine before.
    virtual std::optional<int> remembered(const std::string& key) const = 0;
    virtual void remember(const std::string& key, int choice) = 0;
};

}  // namespace dlperf::worker::cuda
