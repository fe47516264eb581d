// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/choose_fusion.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "base/failure.h"
#include "cuda/net/kernel_benchmark.h"

namespace dlperf::worker::cuda {
namespace {

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

const ConvLayer& layerOf(const ResNet50& net, int index) {
    return net.convs[static_cast<std::size_t>(index)];
}

// What goes on from the data gradient, unless that ends there.
std::optional<FusedPass> dataPassAt(ConvPosition position) {
    switch (position) {
        case ConvPosition::Stored:
            break;
        case ConvPosition::Inside:
            return FusedPass::DataNormGradient;
        case ConvPosition::BehindBlock:
            return FusedPass::BlockDataNormGradient;
        case ConvPosition::BehindDual:
            return FusedPass::DualDataNormGradient;
    }
    return std::nullopt;
}

// What a prologue needs; inside a block two passes, as y is not there for the weight gradient.
std::vector<FusedPass> prologuePassesAt(ConvPosition position) {
    switch (position) {
        case ConvPosition::Stored:
            break;
        case ConvPosition::Inside:
            return {FusedPass::NormForwardStatistics, FusedPass::NormWeightGradient};
        case ConvPosition::BehindBlock:
            return {FusedPass::BlockForwardStatistics};
        case ConvPosition::BehindDual:
            return {FusedPass::DualForwardStatistics};
    }
    return {};
}

std::vector<FusedPass> passesAt(ConvPosition position) {
    std::vector<FusedPass> passes = prologuePassesAt(position);
    passes.push_back(FusedPass::ForwardStatistics);
    if (const std::optional<FusedPass> data = dataPassAt(position)) {
        passes.push_back(*data);
    }
    return passes;
}

// Of our own kernels and the order of their steps: raised when they change, it makes what was measured with
// the old ones forgotten.
constexpr int kernelGeneration = 1;

// As part of the key of what is remembered.
std::string nameOf(ConvPosition position) {
    switch (position) {
        case ConvPosition::Stored:
            break;
        case ConvPosition::Inside:
            return "inside";
        case ConvPosition::BehindBlock:
            return "behind-block";
        case ConvPosition::BehindDual:
            return "behind-dual";
    }
    return "stored";
}

// The middle one of several timings, which are odd in number.
double middle(std::vector<double> values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

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
        const std::vector<FusedPass> prologue = prologuePassesAt(shape_.first);
        // Behind a block it leaves no mask, with which other data gradients begin.
        const bool needsNoMask = shape_.first == ConvPosition::Inside || dataNorm;
        if (!prologue.empty() && needsNoMask &&
            std::ranges::all_of(prologue, [this](FusedPass pass) { return has(pass); })) {
            choices.push_back(static_cast<int>(ForwardFusion::Prologue));
        }
        return choices;
    }
    std::vector<int> dataChoices() const {
        const std::optional<FusedPass> pass = dataPassAt(shape_.first);
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
                                nameOf(shape_.first) + " fp16 " + shape_.second.text();
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
            const double time = middle(seconds[choice]);
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
        for (const FusedPass pass : passesAt(position)) {
            wanted.insert({pass, dnn::shapeOf(layerOf(net, index), batch)});
        }
    }
    return {wanted.begin(), wanted.end()};
}

template <typename T>
std::vector<FusionStrategy> chooseFusion(const ResNet50& net, const Problem& problem, Operators& operators,
                                         cudaStream_t stream) {
    std::vector<FusionStrategy> choices(net.convs.size());
    if constexpr (std::is_same_v<T, __half>) {
        FusedOperators* const fused = operators.fused();
        // The fused passes backwards take the statistics to depend on what they are of.
        if (fused == nullptr || problem.frozenNorm || fused->policy() == FusionPolicy::Never) {
            return choices;
        }
        fused->prepare(wantedFused(net, problem.batchSize));
        std::map<PositionedShape, FusionStrategy> chosen;
        for (const auto& [index, position] : positionsOf(net)) {
            const PositionedShape positioned(position, dnn::shapeOf(layerOf(net, index), problem.batchSize));
            if (!chosen.contains(positioned)) {
                chosen[positioned] = Picker(*fused, operators, stream, positioned).strategy();
            }
            choices[static_cast<std::size_t>(index)] = chosen[positioned];
        }
    }
    return choices;
}

template std::vector<FusionStrategy> chooseFusion<float>(const ResNet50&, const Problem&, Operators&,
                                                         cudaStream_t);
template std::vector<FusionStrategy> chooseFusion<__half>(const ResNet50&, const Problem&, Operators&,
                                                          cudaStream_t);
template std::vector<FusionStrategy> chooseFusion<__nv_bfloat16>(const ResNet50&, const Problem&, Operators&,
                                                                 cudaStream_t);

}  // namespace dlperf::worker::cuda
