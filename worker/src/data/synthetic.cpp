// SPDX-License-Identifier: Apache-2.0
#include "data/synthetic.h"

#include "base/random.h"

namespace dlperf::worker {

SyntheticSource::SyntheticSource(const Options& options, const World& world) {
    const auto batch = static_cast<std::size_t>(options.batchSize);
    const auto size = static_cast<std::size_t>(options.imageSize);
    Random random({options.seed, static_cast<std::uint64_t>(world.rank), 0x5EED});
    pixels_.resize(batch * size * size * 3);
    for (std::uint8_t& pixel : pixels_) {
        pixel = static_cast<std::uint8_t>(random.next() >> 56);
    }
    labels_.resize(batch);
    for (std::int32_t& label : labels_) {
        label = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(options.classes)));
    }
}

}  // namespace dlperf::worker
