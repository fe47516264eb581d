// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/options.h"
#include "base/world.h"
#include "data/batch.h"

namespace dlperf::worker {

// Where the images come from. A source gives a rank its share of every global batch, in an order that
// depends on the seed alone.
class DataSource {
public:
    virtual ~DataSource() = default;
    // The batch of the next iteration; valid until the next call. Waits where it is not ready yet.
    virtual Batch next() = 0;
    // Images in one epoch.
    virtual std::uint64_t epochSize() const = 0;
};

// `backendMirrors`: images are given as they are, with Batch::flips. Throws Failure(Data) where the folder
// cannot be used.
std::unique_ptr<DataSource> makeDataSource(const Options& options, const World& world, bool backendMirrors);

}  // namespace dlperf::worker
