// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/choose_ways.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "base/failure.h"
#include "cuda/net/way_trial.h"

namespace dlperf::worker::cuda {
namespace {

using PlacedShape = std::pair<Place, dnn::ConvolutionShape>;

/// The place of every convolution but the stem, by its index.
std::map<int, Place> placesOf(const ResNet50& net) {
    std::map<int, Place> places;
    Place behind = Place::Stored;  // the stem's pooling
    for (const Bottleneck& block : net.blocks) {
        const bool isDual = block.downsample != Bottleneck::none;
        places[block.conv1] = behind;
        places[block.conv2] = places[block.conv3] = Place::Inside;
        if (isDual) places[block.downsample] = Place::Stored;
        behind = isDual ? Place::BehindDual : Place::BehindBlock;
    }
    return places;
}

const ConvLayer& layerOf(const ResNet50& net, int index) {
    return net.convs[static_cast<std::size_t>(index)];
}

/// What goes on from the data gradient, unless that ends there.
std::optional<FusedPass> dataPassAt(Place place) {
    switch (place) {
        case Place::Stored:
            break;
        case Place::Inside:
            return FusedPass::DataNormGradient;
        case Place::BehindBlock:
            return FusedPass::BlockDataNormGradient;
        case Place::BehindDual:
            return FusedPass::DualDataNormGradient;
    }
    return std::nullopt;
}

/// What a prologue needs; inside a block two passes, as y is not there for the weight gradient.
std::vector<FusedPass> prologuePassesAt(Place place) {
    switch (place) {
        case Place::Stored:
            break;
        case Place::Inside:
            return {FusedPass::NormForwardStatistics, FusedPass::NormWeightGradient};
        case Place::BehindBlock:
            return {FusedPass::BlockForwardStatistics};
        case Place::BehindDual:
            return {FusedPass::DualForwardStatistics};
    }
    return {};
}

std::vector<FusedPass> passesAt(Place place) {
    std::vector<FusedPass> passes = prologuePassesAt(place);
    passes.push_back(FusedPass::ForwardStatistics);
    if (const std::optional<FusedPass> data = dataPassAt(place)) passes.push_back(*data);
    return passes;
}

/// Of our own kernels and the order of their steps: raised when they change, it makes what was measured with
/// the old ones forgotten.
constexpr int kGeneration = 1;

/// As part of the key of what is remembered.
std::string nameOf(Place place) {
    switch (place) {
        case Place::Stored:
            break;
        case Place::Inside:
            return "inside";
        case Place::BehindBlock:
            return "behind-block";
        case Place::BehindDual:
            return "behind-dual";
    }
    return "stored";
}

/// The middle one of several timings, which are odd in number.
double middle(std::vector<double> values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

/// Picks among the ways of one shape. A way is a number, as it is remembered; the first one is in parts, the
/// last one the most fused.
class Picker {
public:
    Picker(FusedProducts& fused, Products& products, cudaStream_t stream, const PlacedShape& placed)
        : fused_(fused), products_(products), stream_(stream), placed_(placed) {}

    Ways ways() {
        const auto startForward = [this](int way) { trial().forward(static_cast<ForwardWay>(way)); };
        const auto startData = [this](int way) { trial().dataGradient(way != 0); };
        const bool dataNorm = pick("data-gradient", dataWays(), startData) != 0;
        return {static_cast<ForwardWay>(pick("forward", forwardWays(dataNorm), startForward)), dataNorm};
    }

private:
    using Start = std::function<void(int way)>;

    bool has(FusedPass pass) const { return fused_.has({pass, placed_.second}); }

    std::vector<int> forwardWays(bool dataNorm) const {
        std::vector<int> ways{static_cast<int>(ForwardWay::Parts)};
        if (has(FusedPass::ForwardStatistics)) ways.push_back(static_cast<int>(ForwardWay::Statistics));
        const std::vector<FusedPass> prologue = prologuePassesAt(placed_.first);
        // Behind a block it leaves no mask, with which other data gradients begin.
        const bool needsNoMask = placed_.first == Place::Inside || dataNorm;
        if (!prologue.empty() && needsNoMask &&
            std::ranges::all_of(prologue, [this](FusedPass pass) { return has(pass); }))
            ways.push_back(static_cast<int>(ForwardWay::Prologue));
        return ways;
    }
    std::vector<int> dataWays() const {
        const std::optional<FusedPass> pass = dataPassAt(placed_.first);
        if (pass && has(*pass)) return {false, true};
        return {false};
    }

    /// Made when there is something to time: where all is remembered there never is.
    WayTrial& trial() {
        if (!trial_) trial_.emplace(placed_.first, placed_.second, products_, stream_);
        return *trial_;
    }

    int pick(const std::string& what, const std::vector<int>& ways, const Start& start) {
        if (ways.size() == 1 || fused_.policy() == FusionPolicy::Never) return ways.front();
        if (fused_.policy() == FusionPolicy::Always) return ways.back();
        const std::string key = "way" + std::to_string(kGeneration) + "-" + what + "-" +
                                nameOf(placed_.first) + " fp16 " + placed_.second.text();
        const std::optional<int> before = fused_.remembered(key);
        if (before && std::find(ways.begin(), ways.end(), *before) != ways.end()) return *before;
        const int chosen = fastest(ways, start);
        fused_.remember(key, chosen);
        return chosen;
    }

    /// A way that fails is no way, but the first, which needs nothing that could be missing.
    double secondsOf(int way, const Start& start) {
        try {
            return fused_.seconds([&] { start(way); });
        } catch (const Failure& failure) {
            if (way == static_cast<int>(ForwardWay::Parts) || failure.code() != ExitCode::Backend) throw;
            return std::numeric_limits<double>::infinity();
        }
    }

    /// In turns, so that what slows the device down for a while slows all ways down.
    int fastest(const std::vector<int>& ways, const Start& start) {
        constexpr int kTurns = 5;
        std::map<int, std::vector<double>> seconds;
        for (int turn = 0; turn < kTurns; ++turn) {
            for (const int way : ways)
                seconds[way].push_back(secondsOf(way, start));
        }
        int chosen = ways.front();
        double best = std::numeric_limits<double>::infinity();
        for (const int way : ways) {
            const double time = middle(seconds[way]);
            if (time < best) {
                best = time;
                chosen = way;
            }
        }
        return chosen;
    }

    FusedProducts& fused_;
    Products& products_;
    cudaStream_t stream_;
    PlacedShape placed_;
    std::optional<WayTrial> trial_;
};

}  // namespace

std::vector<FusedProducts::Wanted> wantedFused(const ResNet50& net, int batch) {
    std::set<FusedProducts::Wanted> wanted;
    for (const auto& [index, place] : placesOf(net)) {
        for (const FusedPass pass : passesAt(place))
            wanted.insert({pass, dnn::shapeOf(layerOf(net, index), batch)});
    }
    return {wanted.begin(), wanted.end()};
}

template <typename T>
std::vector<Ways> chooseWays(const ResNet50& net, const Problem& problem, Products& products,
                             cudaStream_t stream) {
    std::vector<Ways> ways(net.convs.size());
    if constexpr (std::is_same_v<T, __half>) {
        FusedProducts* const fused = products.fused();
        // The fused passes backwards take the statistics to depend on what they are of.
        if (fused == nullptr || problem.frozenNorm || fused->policy() == FusionPolicy::Never) return ways;
        fused->prepare(wantedFused(net, problem.batchSize));
        std::map<PlacedShape, Ways> chosen;
        for (const auto& [index, place] : placesOf(net)) {
            const PlacedShape placed(place, dnn::shapeOf(layerOf(net, index), problem.batchSize));
            if (!chosen.contains(placed)) chosen[placed] = Picker(*fused, products, stream, placed).ways();
            ways[static_cast<std::size_t>(index)] = chosen[placed];
        }
    }
    return ways;
}

template std::vector<Ways> chooseWays<float>(const ResNet50&, const Problem&, Products&, cudaStream_t);
template std::vector<Ways> chooseWays<__half>(const ResNet50&, const Problem&, Products&, cudaStream_t);
template std::vector<Ways> chooseWays<__nv_bfloat16>(const ResNet50&, const Problem&, Products&,
                                                     cudaStream_t);

}  // namespace dlperf::worker::cuda
