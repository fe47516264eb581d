// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/choose_fusion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/runtime/graph.h"
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
    std::vector<Pass> prologue;
    std::optional<Pass> data;  // what goes on from the data gradient
};

const PositionFusions& fusionsAt(ConvPosition position) {
    static const PositionFusions table[] = {
        {"stored", {}, {}},
        {"inside", {Pass::NormForwardStatistics, Pass::NormWeightGradient}, Pass::DataNormGradient},
        {"behind-block", {Pass::BlockForwardStatistics}, Pass::BlockDataNormGradient},
        {"behind-dual", {Pass::DualForwardStatistics}, Pass::DualDataNormGradient}};
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

    std::size_t bytes() const { return arena_.bytes(); }

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
        fillWith(1, const_cast<float*>(layer.parameters.gamma), layer.rows.channels, stream_);
        normStatistics(stream_, layer.rows, layer.x, layer.parameters, scratch_, layer.norm);
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

// To be raised when our own kernels, the order of their steps or how they are timed change: it invalidates
// earlier measurements.
constexpr int kernelGeneration = 3;

std::string choiceKey(const std::string& what) {
    return "way" + std::to_string(kernelGeneration) + "-" + what;
}

using Start = std::function<void(int choice)>;

// Seconds by choice: medians. In turns, so that what slows the device down for a while slows all choices
// down. A choice that fails takes for ever, but for the first, which needs nothing that could be missing.
std::map<int, double> timesOf(Operators& operators, const std::vector<int>& choices, const Start& start,
                              std::size_t sets) {
    constexpr int turns = 5;
    const auto secondsOf = [&](int choice) {
        try {
            return operators.seconds([&] { start(choice); }, sets);
        } catch (const Failure& failure) {
            if (choice == choices.front() || failure.code() != ExitCode::Backend) {
                throw;
            }
            return std::numeric_limits<double>::infinity();
        }
    };
    std::map<int, std::vector<double>> seconds;
    for (int turn = 0; turn < turns; ++turn) {
        for (const int choice : choices) {
            seconds[choice].push_back(secondsOf(choice));
        }
    }
    std::map<int, double> medians;
    for (auto& [choice, times] : seconds) {
        medians[choice] = median(std::move(times));
    }
    return medians;
}

int fastestOf(const std::map<int, double>& times) {
    return std::ranges::min_element(times, {}, [](const auto& each) { return each.second; })->first;
}

// An earlier choice, if it is one still.
std::optional<int> rememberedOf(const Operators& operators, const std::string& key,
                                const std::vector<int>& choices) {
    const std::optional<int> before = operators.remembered(key);
    return before && std::ranges::find(choices, *before) != choices.end() ? before : std::nullopt;
}

// Picks among the choices of one shape by a policy. A choice is a number, as it is remembered; the first is
// unfused, the last one the most fused.
class Picker {
public:
    Picker(FusionPolicy policy, Operators& operators, cudaStream_t stream, const PositionedShape& positioned)
        : policy_(policy), operators_(operators), stream_(stream), shape_(positioned) {}

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
    bool has(Pass pass) const { return operators_.has({pass, shape_.second}); }

    std::vector<int> forwardChoices(bool dataNorm) const {
        std::vector<int> choices{static_cast<int>(ForwardFusion::Unfused)};
        if (has(Pass::ForwardStatistics)) {
            choices.push_back(static_cast<int>(ForwardFusion::Statistics));
        }
        const std::vector<Pass>& prologue = fusionsAt(shape_.first).prologue;
        // Behind a block it leaves no mask, with which other data gradients begin.
        const bool needsNoMask = shape_.first == ConvPosition::Inside || dataNorm;
        if (!prologue.empty() && needsNoMask &&
            std::ranges::all_of(prologue, [this](Pass pass) { return has(pass); })) {
            choices.push_back(static_cast<int>(ForwardFusion::Prologue));
        }
        return choices;
    }
    std::vector<int> dataChoices() const {
        const std::optional<Pass> pass = fusionsAt(shape_.first).data;
        if (pass && has(*pass)) {
            return {false, true};
        }
        return {false};
    }

    // Made when there is something to time: where all is remembered there never is.
    void makeBenchmarks() {
        const auto add = [this] {
            benchmarks_.emplace_back(shape_.first, shape_.second, operators_, stream_);
        };
        if (benchmarks_.empty()) {
            add();
        }
        for (std::size_t sets = setsBeyondCache(benchmarks_.front().bytes()); benchmarks_.size() < sets;) {
            add();
        }
    }
    KernelBenchmark& benchmark() { return benchmarks_[turn_++ % benchmarks_.size()]; }

    int pick(const std::string& what, const std::vector<int>& choices, const Start& start) {
        if (choices.size() == 1 || policy_ == FusionPolicy::Always) {
            return choices.back();
        }
        const std::string key =
            choiceKey(what + "-" + fusionsAt(shape_.first).name + " fp16 " + shape_.second.text());
        if (const std::optional<int> before = rememberedOf(operators_, key, choices)) {
            return *before;
        }
        makeBenchmarks();
        const int chosen = fastestOf(timesOf(operators_, choices, start, benchmarks_.size()));
        operators_.remember(key, chosen);
        return chosen;
    }

    FusionPolicy policy_;
    Operators& operators_;
    cudaStream_t stream_;
    PositionedShape shape_;
    std::deque<KernelBenchmark> benchmarks_;  // used in turn
    std::size_t turn_ = 0;
};

// By a policy that fuses what there is to fuse; the operators' fused passes are prepared.
FusionStrategies strategiesBy(FusionPolicy policy, const ResNet50& net, int batch, Operators& operators,
                              cudaStream_t stream) {
    FusionStrategies strategies(net.convs.size());
    std::map<PositionedShape, FusionStrategy> chosen;
    for (const auto& [index, position] : positionsOf(net)) {
        const PositionedShape positioned(position, dnn::shapeOf(net.convs[asIndex(index)], batch));
        if (!chosen.contains(positioned)) {
            chosen[positioned] = Picker(policy, operators, stream, positioned).strategy();
        }
        strategies[asIndex(index)] = chosen[positioned];
    }
    return strategies;
}

std::string nameOf(FusionPolicy policy) {
    return std::string(fusionPolicyNames[static_cast<std::size_t>(policy)]);
}

// Of what whole passes are timed for: another time of a convolution alone makes another candidate.
std::string passesKey(const FusionCandidates& candidates, const ResNet50& net, const Problem& problem) {
    std::string text = "passes fp16 n" + std::to_string(problem.batchSize) + " in" +
                       std::to_string(net.imageSize) + " k" + std::to_string(net.classes);
    for (const auto& [policy, strategies] : candidates) {
        text.append(" ").append(nameOf(policy)).append(" ");
        for (const FusionStrategy& strategy : strategies) {
            const int forward = static_cast<int>(strategy.forward);
            text.append(std::to_string(2 * forward + (strategy.dataNorm ? 1 : 0)));
        }
    }
    return choiceKey(text);
}

// Devices that each process has for itself (CUDA_VISIBLE_DEVICES, cgroups) look so, too.
bool mayShareDevice(const Problem& problem) {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "count the GPUs");
    return problem.devicesOnNode > devices;
}

// "never 29.80 ms, measured 27.91 ms, always fails".
std::string textOf(const std::map<int, double>& times) {
    std::string text;
    for (const auto& [policy, seconds] : times) {
        char time[32] = "fails";
        if (std::isfinite(seconds)) {
            std::snprintf(time, sizeof time, "%.2f ms", seconds * 1e3);
        }
        text.append(text.empty() ? "" : ", ").append(nameOf(static_cast<FusionPolicy>(policy)));
        text.append(" ").append(time);
    }
    return text;
}

}  // namespace

std::vector<Operators::Wanted> wantedFused(const ResNet50& net, int batch) {
    std::set<Operators::Wanted> wanted;
    for (const auto& [index, position] : positionsOf(net)) {
        const dnn::ConvolutionShape shape = dnn::shapeOf(net.convs[asIndex(index)], batch);
        wanted.insert({Pass::ForwardStatistics, shape});
        for (const Pass pass : fusionsAt(position).prologue) {
            wanted.insert({pass, shape});
        }
        if (const std::optional<Pass> data = fusionsAt(position).data) {
            wanted.insert({*data, shape});
        }
    }
    return {wanted.begin(), wanted.end()};
}

FusionCandidates fusionCandidates(const ResNet50& net, const Problem& problem, Operators& operators,
                                  cudaStream_t stream) {
    FusionCandidates candidates{{FusionPolicy::Never, FusionStrategies(net.convs.size())}};
    // The fused passes are of fp16, and backwards they take the statistics to depend on what they are of.
    if (problem.precision != Precision::Fp16 || problem.frozenNorm ||
        operators.policy() == FusionPolicy::Never) {
        return candidates;
    }
    operators.prepare(wantedFused(net, problem.batchSize));
    const auto add = [&](FusionPolicy policy) {
        FusionStrategies strategies = strategiesBy(policy, net, problem.batchSize, operators, stream);
        if (std::ranges::none_of(candidates, [&](const auto& each) { return each.second == strategies; })) {
            candidates.emplace(policy, std::move(strategies));
        }
    };
    if (operators.policy() == FusionPolicy::Always) {
        candidates.clear();
    } else {
        add(FusionPolicy::Measured);
    }
    add(FusionPolicy::Always);
    return candidates;
}

FusionChoice chooseFusion(const FusionCandidates& candidates, const ResNet50& net, const Problem& problem,
                          Operators& operators, const PassBenchmark& benchmark) {
    if (candidates.size() == 1) {
        const FusionPolicy only = candidates.begin()->first;
        return {only, nameOf(only)};
    }
    std::vector<int> choices;
    for (const auto& [policy, strategies] : candidates) {
        choices.push_back(static_cast<int>(policy));
    }
    const auto choiceOf = [](int choice, const std::string& why) {
        const auto policy = static_cast<FusionPolicy>(choice);
        return FusionChoice{policy, nameOf(policy) + ", by " + why};
    };
    const auto withoutTiming = [&](const std::string& why) {
        const bool hasMeasured = candidates.contains(FusionPolicy::Measured);
        return choiceOf(static_cast<int>(hasMeasured ? FusionPolicy::Measured : FusionPolicy::Never),
                        "each convolution alone: " + why);
    };
    const std::string key = passesKey(candidates, net, problem);
    if (const std::optional<int> before = rememberedOf(operators, key, choices)) {
        return choiceOf(*before, "forward and back together, timed before");
    }
    if (mayShareDevice(problem)) {
        return withoutTiming("another process may need this GPU's memory");
    }
    try {
        benchmark.prepare();
        const auto start = [&](int choice) {
            benchmark.start(candidates.at(static_cast<FusionPolicy>(choice)));
        };
        const std::map<int, double> times = timesOf(operators, choices, start, 1);
        const int chosen = fastestOf(times);
        operators.remember(key, chosen);
        return choiceOf(chosen, "forward and back together: " + textOf(times));
    } catch (const Failure& failure) {
        if (failure.code() != ExitCode::Memory) {
            throw;
        }
        return withoutTiming("the memory is too small to time forward and back together");
    }
}

}  // namespace dlperf::worker::cuda
