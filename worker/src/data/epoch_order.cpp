// SPDX-License-Identifier: Apache-2.0
#include "data/epoch_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace dlperf::worker {
namespace {

std::vector<std::uint32_t> shuffled(std::uint32_t images, std::uint64_t seed, std::uint64_t epoch) {
    std::vector<std::uint32_t> order(images);
    std::iota(order.begin(), order.end(), 0U);
    Random random({seed, epoch, 0x0DE7});
    for (std::uint32_t i = images; i > 1; --i) {
        std::swap(order[i - 1], order[random.below(i)]);
    }
    return order;
}

}  // namespace

EpochOrder::Entry EpochOrder::at(std::uint64_t position) {
    const std::uint64_t epoch = position / images_;
    const std::lock_guard lock(mutex_);
    auto found =
        std::find_if(epochs_.begin(), epochs_.end(), [&](const Epoch& e) { return e.number == epoch; });
    if (found == epochs_.end()) {
        epochs_.push_front({epoch, shuffled(images_, seed_, epoch)});
        if (epochs_.size() > keptEpochs) {
            epochs_.pop_back();
        }
        found = epochs_.begin();
    }
    return {epoch, found->order[position % images_]};
}

}  // namespace dlperf::worker
