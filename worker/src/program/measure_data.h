// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/options.h"
#include "base/world.h"

namespace dlperf::worker {

// Reads the files below options.data, each once, in an order that depends on the seed alone, by
// options.workers threads (or one), for options.seconds at most, and logs how fast that was; then, where they
// are images of classes, half as long how many of these are decoded and cropped in a second. Before a file is
// read the page cache is asked to drop it; of how many files it still had a part, or would not say, is logged
// as well. One process alone. Throws Failure(Data) where there is no folder, or no file that can be read.
void measureData(const Options& options, const World& world);

}  // namespace dlperf::worker
