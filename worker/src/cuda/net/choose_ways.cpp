// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/choose_ways.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "cuda/net/way_trial.h"

namespace dlperf::worker::cuda {
namespace {

/// Where a convolution is: behind something stored, or behind another one inside a block.
enum class Place { Stored, Inside };
using PlacedShape = std::pair<Place, dnn::ConvolutionShape>;

/// The place of every convolution but the stem, by its index.
std::map<int, Place> placesOf(const ResNet50& net) {
    std::map<int, Place> places;
    for (const Bottleneck& block : net.blocks) {
        places[block.conv1] = Place::Stored;
        places[block.conv2] = places[block.conv3] = Place::Inside;
        if (block.downsample != Bottleneck::none) places[block.downsample] = Place::Stored;
    }
    return places;
}

const ConvLayer& layerOf(const ResNet50& net, int index) {
    return net.convs[static_cast<std::size_t>(index)];
}

std::vector<FusedPass> passesAt(Place place) {
    if (place == Place::Stored) return {FusedPass::ForwardStatistics};
    return {FusedPass::ForwardStatistics, FusedPass::NormForwardStatistics, FusedPass::NormWeightGradient,
            FusedPass::DataNormGradient};
}

/// The middle one of several timings, which are odd in number.
double middle(std::vector<double> values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

/// Picks among the ways of one shape. A way is a number; the first one is in parts, the last one the most
/// fused.
class Picker {
public:
    Picker(FusedProducts& fused, Products& products, cudaStream_t stream, const PlacedShape& placed)
        : fused_(fused), products_(products), stream_(stream), placed_(placed) {}

    Ways ways() {
        const bool inside = placed_.first == Place::Inside;
        std::vector<int> forward{static_cast<int>(ForwardWay::Parts)};
        if (has(FusedPass::ForwardStatistics)) forward.push_back(static_cast<int>(ForwardWay::Statistics));
        if (inside && has(FusedPass::NormForwardStatistics) && has(FusedPass::NormWeightGradient))
            forward.push_back(static_cast<int>(ForwardWay::Prologue));
        std::vector<int> data{false};
        if (inside && has(FusedPass::DataNormGradient)) data.push_back(true);
        const auto startForward = [this, inside](int way) {
            inside ? trial().forwardInside(static_cast<ForwardWay>(way))
                   : trial().forwardStored(static_cast<ForwardWay>(way));
        };
        const auto startData = [this](int way) { trial().dataGradient(way != 0); };
        return {static_cast<ForwardWay>(pick(inside ? "forward-inside" : "forward", forward, startForward)),
                pick("data-gradient", data, startData) != 0};
    }

private:
    using Start = std::function<void(int way)>;

    bool has(FusedPass pass) const { return fused_.has({pass, placed_.second}); }

    /// Made when there is something to time: where all is remembered there never is.
    WayTrial& trial() {
        if (!trial_) trial_.emplace(placed_.second, products_, stream_);
        return *trial_;
    }

    int pick(const std::string& what, const std::vector<int>& ways, const Start& start) {
        if (ways.size() == 1 || fused_.policy() == FusionPolicy::Never) return ways.front();
        if (fused_.policy() == FusionPolicy::Always) return ways.back();
        const std::string key = "way-" + what + " fp16 " + placed_.second.text();
        const std::optional<int> before = fused_.remembered(key);
        if (before && std::find(ways.begin(), ways.end(), *before) != ways.end()) return *before;
        const int chosen = fastest(ways, start);
        fused_.remember(key, chosen);
        return chosen;
    }

    /// In turns, so that what slows the device down for a while slows all ways down.
    int fastest(const std::vector<int>& ways, const Start& start) {
        constexpr int kTurns = 5;
        std::map<int, std::vector<double>> seconds;
        for (int turn = 0; turn < kTurns; ++turn) {
            for (const int way : ways)
                seconds[way].push_back(fused_.seconds([&] { start(way); }));
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
