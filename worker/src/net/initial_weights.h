// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "net/resnet50.h"

namespace dlperf::worker {

// The values that training starts from, the same on every rank for the same seed: convolutions by He's rule
// for the outputs (variance 2 / (out * height * width)), normalisation 1 and 0, the last layer uniform in
// +-1 / sqrt(inputs). `index` is the parameter's in parametersOf().
std::vector<float> initialValues(const Parameter& parameter, std::uint64_t seed, std::size_t index,
                                 int features);

}  // namespace dlperf::worker
