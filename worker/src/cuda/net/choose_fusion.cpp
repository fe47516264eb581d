// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/choose_fusion.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/noise.h"

namespace dlperf::worker::cuda {
namespace {

// What is in front of a convolution.
enum class ConvPosition {
    Stored,       // its input is stored, and its gradient is too
    Inside,       // another convolution's normalisation and ReLU, in the same block
    BehindBlock,  // the end of a block; what that gave is stored as well
    BehindDual,   // of a block with a convolution in its shortcut
};

// What can be fused at a position.
struct PositionFusions {
    const char* name;  // in the key of a remembered choice
    // What a prologue needs; inside a block two passes, as y is not there for the weight gradient.
    std::vector<FusedPass> prologue;
    std::optional<FusedPass> data;  // what goes on from the data gradient
};

const PositionFusions& fusionsAt(ConvPosition position) {
    static const PositionFusions table[] = {
        {"stored", {}, {}},
        {"inside",
         {FusedPass::NormForwardStatistics, FusedPass::NormWeightGradient},
         FusedPass::DataNormGradient},
        {"behind-block", {FusedPass::BlockForwardStatistics}, FusedPass::BlockDataNormGradient},
        {"behind-dual", {FusedPass::DualForwardStatistics}, FusedPass::DualDataNormGradient}};
    return table[static_cast<std::size_t>(position)];
}

// One convolution of fp16 with what is in front of it, in memory of its own filled with noise, to time its
// steps with any fusion.
class KernelBenchmark {
public:
    // The operators and the stream outlive this. Throws Failure(Backend, Memory).
    KernelBenchmark(ConvPosition position, const dnn::ConvolutionShape& shape, Operators& operators,
                    cudaStream_t stream)
        : position_(position), operators_(operators), stream_(stream) {
        layer_.shape = shape;
        layer_.rows = shape.outputRows();
        before_.rows = around_.rows = shape.inputRows();
        const std::size_t inputs = elementsOf(before_.rows);
        const std::size_t behind = isBehindBlock() ? inputs : 0;
        reserve(before_);
        reserve(layer_);
        if (isDual()) {
            reserve(around_);
            around_.reserveFolded(arena_);
        }
        arena_.reserve(before_.y, inputs);
        arena_.reserve(gradient_, elementsOf(layer_.rows));
        arena_.reserve(inputGradient_, inputs);
        arena_.reserve(layer_.filter, dnn::elementsOf(shape.filter()));
        arena_.reserve(layer_.filterGradient, dnn::elementsOf(shape.filter()));
        before_.reserveFolded(arena_);
        arena_.reserve(scratch_, std::max(normScratchFloats(before_.rows), normScratchFloats(layer_.rows)));
        arena_.reserve(otherGradient_, behind);
        arena_.reserve(shortcut_, behind);
        arena_.reserve(mask_, behind / 8);
        arena_.allocate();
        fillWithNoise(arena_.data(), arena_.bytes(), stream_);
        normalise(before_);
        if (isDual()) {
            normalise(around_);
        }
    }

    // Forward from what is in front; inside a block with the weight gradient, which has the same fusion.
    void forward(ForwardFusion choice) {
        layer_.fusion.forward = choice;
        if (position_ == ConvPosition::Inside) {
            steps().forwardBehind(before_, layer_);
            steps().weightGradientBehind(before_, layer_, gradient_);
        } else if (choice == ForwardFusion::Prologue) {
            steps().forwardFromBlockEnd(blockEnd(), layer_, before_.y);
        } else {
            if (isBehindBlock()) {
                steps().endBlock(blockEnd(), before_.y);
            }
            steps().forward(layer_, before_.y);
        }
    }

    // The data gradient: inside a block to the output of the convolution before, behind one to what its end's
    // normalisations take.
    void dataGradient(bool dataNorm) {
        layer_.fusion.dataNorm = dataNorm;
        if (position_ == ConvPosition::Inside) {
            steps().dataGradientBehind(before_, layer_, gradient_, inputGradient_);
            steps().throughNormBehind(before_, layer_, inputGradient_);
        } else if (dataNorm) {
            steps().dataGradientToBlockEnd(blockEnd(), layer_, gradient_, otherGradient_, inputGradient_);
        } else {
            steps().dataGradient(layer_, gradient_, inputGradient_);
            if (isBehindBlock()) {
                steps().sumBlockEnd(blockEnd(), otherGradient_, inputGradient_);
            }
        }
    }

private:
    using T = __half;

    bool isDual() const { return position_ == ConvPosition::BehindDual; }
    bool isBehindBlock() const { return position_ == ConvPosition::BehindBlock || isDual(); }
    BlockEndLayers<T> blockEnd() const { return {before_, isDual() ? &around_ : nullptr, shortcut_, mask_}; }
    ConvNormSteps<T> steps() const { return {operators_, stream_, false, scratch_}; }

    // Makes a normalisation's vectors fit what it is applied to. Noise of fp16 is next to nothing as fp32,
    // and would normalise to zeros, on which a GPU is faster.
    void normalise(const ConvNorm<T>& layer) const {
        const std::vector<float> ones(layer.rows.channels, 1.0F);
        check(cudaMemcpyAsync(const_cast<float*>(layer.parameters.gamma), ones.data(),
                              ones.size() * sizeof(float), cudaMemcpyHostToDevice, stream_),
              "set up a benchmark");
        check(cudaStreamSynchronize(stream_), "set up a benchmark");
        normStatistics(stream_, layer.rows, layer.x, layer.parameters, {nullptr, nullptr}, scratch_,
                       layer.norm);
    }

    void reserve(ConvNorm<T>& layer) {
        layer.reserve(arena_);
        for (const float** const parameter : {&layer.parameters.gamma, &layer.parameters.beta}) {
            arena_.reserve(*parameter, layer.rows.channels);
        }
        for (float** const gradient : {&layer.gradients.gamma, &layer.gradients.beta}) {
            arena_.reserve(*gradient, layer.rows.channels);
        }
    }

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

using PositionedShape = std::pair<ConvPosition, dnn::ConvolutionShape>;

// The position of every convolution but the stem, by its index.
std::map<int, ConvPosition> positionsOf(const ResNet50& net) {
    std::map<int, ConvPosition> positions;
    ConvPosition behind = ConvPosition::Stored;  // the stem's pooling
    for (const Bottleneck& block : net.blocks) {
        const bool isDual = block.downsample != Bottleneck::none;
        positions[block.conv1] = behind;
        positions[block.conv2] = positions[block.conv3] = ConvPosition::Inside;
        if (isDual) {
            positions[block.downsample] = ConvPosition::Stored;
        }
        behind = isDual ? ConvPosition::BehindDual : ConvPosition::BehindBlock;
    }
    return positions;
}

// To be raised when our own kernels or the order of their steps change: it invalidates earlier measurements.
constexpr int kernelGeneration = 1;

// Picks among the choices of one shape. A choice is a number, as it is remembered; the first is unfused, the
// last one the most fused.
class Picker {
public:
    Picker(FusedOperators& fused, Operators& operators, cudaStream_t stream,
           const PositionedShape& positioned)
        : fused_(fused), operators_(operators), stream_(stream), shape_(positioned) {}

    FusionStrategy strategy() {
        const auto startForward = [this](int choice) {
            benchmark().forward(static_cast<ForwardFusion>(choice));
        };
        const auto startData = [this](int choice) { benchmark().dataGradient(choice != 0); };
        const bool dataNorm = pick("data-gradient", dataChoices(), startData) != 0;
        return {static_cast<ForwardFusion>(pick("forward", forwardChoices(dataNorm), startForward)),
                dataNorm};
    }

private:
    using Start = std::function<void(int choice)>;

    bool has(FusedPass pass) const { return fused_.has({pass, shape_.second}); }

    std::vector<int> forwardChoices(bool dataNorm) const {
        std::vector<int> choices{static_cast<int>(ForwardFusion::Unfused)};
        if (has(FusedPass::ForwardStatistics)) {
            choices.push_back(static_cast<int>(ForwardFusion::Statistics));
        }
        const std::vector<FusedPass>& prologue = fusionsAt(shape_.first).prologue;
        // Behind a block it leaves no mask, with which other data gradients begin.
        const bool needsNoMask = shape_.first == ConvPosition::Inside || dataNorm;
        if (!prologue.empty() && needsNoMask &&
            std::ranges::all_of(prologue, [this](FusedPass pass) { return has(pass); })) {
            choices.push_back(static_cast<int>(ForwardFusion::Prologue));
        }
        return choices;
    }
    std::vector<int> dataChoices() const {
        const std::optional<FusedPass> pass = fusionsAt(shape_.first).data;
        if (pass && has(*pass)) {
            return {false, true};
        }
        return {false};
    }

    // Made when there is something to time: where all is remembered there never is.
    KernelBenchmark& benchmark() {
        if (!benchmark_) {
            benchmark_.emplace(shape_.first, shape_.second, operators_, stream_);
        }
        return *benchmark_;
    }

    int pick(const std::string& what, const std::vector<int>& choices, const Start& start) {
        if (choices.size() == 1 || fused_.policy() == FusionPolicy::Never) {
            return choices.front();
        }
        if (fused_.policy() == FusionPolicy::Always) {
            return choices.back();
        }
        const std::string key = "way" + std::to_string(kernelGeneration) + "-" + what + "-" +
                                fusionsAt(shape_.first).name + " fp16 " + shape_.second.text();
        const std::optional<int> before = fused_.remembered(key);
        if (before && std::find(choices.begin(), choices.end(), *before) != choices.end()) {
            return *before;
        }
        const int chosen = fastest(choices, start);
        fused_.remember(key, chosen);
        return chosen;
    }

    // A choice that fails is no choice, but for the first, which needs nothing that could be missing.
    double secondsOf(int choice, const Start& start) {
        try {
            return fused_.seconds([&] { start(choice); });
        } catch (const Failure& failure) {
            if (choice == static_cast<int>(ForwardFusion::Unfused) || failure.code() != ExitCode::Backend) {
                throw;
            }
            return std::numeric_limits<double>::infinity();
        }
    }

    // In turns, so that what slows the device down for a while slows all choices down.
    int fastest(const std::vector<int>& choices, const Start& start) {
        constexpr int turns = 5;
        std::map<int, std::vector<double>> seconds;
        for (int turn = 0; turn < turns; ++turn) {
            for (const int choice : choices) {
                seconds[choice].push_back(secondsOf(choice, start));
            }
        }
        int chosen = choices.front();
        double best = std::numeric_limits<double>::infinity();
        for (const int choice : choices) {
            const double time = median(seconds[choice]);
            if (time < best) {
                best = time;
                chosen = choice;
            }
        }
        return chosen;
    }

    FusedOperators& fused_;
    Operators& operators_;
    cudaStream_t stream_;
    PositionedShape shape_;
    std::optional<KernelBenchmark> benchmark_;
};

}  // namespace

std::vector<FusedOperators::Wanted> wantedFused(const ResNet50& net, int batch) {
    std::set<FusedOperators::Wanted> wanted;
    for (const auto& [index, position] : positionsOf(net)) {
        const dnn::ConvolutionShape shape = dnn::shapeOf(net.convs[asIndex(index)], batch);
        wanted.insert({FusedPass::ForwardStatistics, shape});
        for (const FusedPass pass : fusionsAt(position).prologue) {
            wanted.insert({pass, shape});
        }
        if (const std::optional<FusedPass> data = fusionsAt(position).data) {
            wanted.insert({*data, shape});
        }
    }
    return {wanted.begin(), wanted.end()};
}

std::vector<FusionStrategy> chooseFusion(const ResNet50& net, const Problem& problem, Operators& operators,
                                         cudaStream_t stream) {
    std::vector<FusionStrategy> choices(net.convs.size());
    FusedOperators* const fused = operators.fused();
    // The fused passes are of fp16, and backwards they take the statistics to depend on what they are of.
    if (fused == nullptr || problem.precision != Precision::Fp16 || problem.frozenNorm ||
        fused->policy() == FusionPolicy::Never) {
        return choices;
    }
    fused->prepare(wantedFused(net, problem.batchSize));
    std::map<PositionedShape, FusionStrategy> chosen;
    for (const auto& [index, position] : positionsOf(net)) {
        const PositionedShape positioned(position,
                                         dnn::shapeOf(net.convs[asIndex(index)], problem.batchSize));
        if (!chosen.contains(positioned)) {
            chosen[positioned] = Picker(*fused, operators, stream, positioned).strategy();
        }
        choices[asIndex(index)] = chosen[positioned];
    }
    return choices;
}

}  // namespace dlperf::worker::cuda
