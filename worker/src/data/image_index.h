// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dlperf::worker {

struct LabelledFile {
    std::string path;
    std::int32_t label = 0;
};

// The .jpg and .jpeg files below `folder`, one sub-folder a class; classes and files in bytewise order, so
// that labels are the same everywhere. Throws Failure(Data) where there is no such folder, no image, or more
// classes than `classes`.
std::vector<LabelledFile> listImages(const std::string& folder, int classes);

}  // namespace dlperf::worker
