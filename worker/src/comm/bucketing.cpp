// SPDX-License-Identifier: Apache-2.0
#include "comm/bucketing.h"

#include <algorithm>

namespace dlperf::worker {

std::vector<Bucket> makeBuckets(std::span<const std::size_t> offsets, std::size_t total,
                                std::size_t firstElements, std::size_t bucketElements) {
    std::vector<Bucket> buckets;
    std::size_t last = total;
    std::size_t wanted = firstElements;
    for (std::size_t tensor = offsets.size(); tensor-- > 0;) {
        const std::size_t first = offsets[tensor];
        if (last - first < wanted && tensor != 0) {
            continue;
        }
        buckets.push_back({first, last});
        last = first;
        wanted = bucketElements;
    }
    return buckets;
}

BucketElements bucketElements(double bucketMb, std::size_t elementBytes) {
    const double elementsPerMb = (1U << 20) / static_cast<double>(elementBytes);
    return {static_cast<std::size_t>(std::min(bucketMb, 1.0) * elementsPerMb),
            static_cast<std::size_t>(bucketMb * elementsPerMb)};
}

}  // namespace dlperf::worker
