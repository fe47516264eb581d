// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "data/source.h"

namespace dlperf::worker {

// JPEG images below options.data, decoded and augmented ahead of time by options.workers threads. Image j of
// rank r in iteration k is number (k * world size + r) * batch size + j of the endless sequence; its
// augmentation depends on the seed, the epoch and the image alone. So neither the threads nor their number
// change what is trained on.
std::unique_ptr<DataSource> makeImageFolderSource(const Options& options, const World& world,
                                                  bool backendMirrors = false);

}  // namespace dlperf::worker
