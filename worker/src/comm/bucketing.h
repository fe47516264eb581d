// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dlperf::worker {

// Gradients that are reduced in one go: elements [first, last) of the gradient span.
struct Bucket {
    std::size_t first;
    std::size_t last;
};

// Cuts the gradients into buckets from the end to the beginning, in the order in which the backward pass
// finishes them. The first is small, so that communication starts early; the others are at least
// `bucketElements`. Cuts are only between tensors, so one larger than a bucket is a bucket. `offsets` are
// where tensors begin, ascending, the first 0; `total` is the number of elements.
std::vector<Bucket> makeBuckets(std::span<const std::size_t> offsets, std::size_t total,
                                std::size_t firstElements, std::size_t bucketElements);

// The sizes that --bucket-mb gives: in elements, of the first bucket and of the others. The first has at
// most 1 MiB.
struct BucketElements {
    std::size_t first;
    std::size_t others;
};
BucketElements bucketElements(double bucketMb, std::size_t elementBytes);

}  // namespace dlperf::worker
