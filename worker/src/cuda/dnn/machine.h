// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dlperf::worker::cuda::dnn {

// What a measured choice of plans holds for.
struct Machine {
    std::string gpu;     // its name
    std::string cudnn;   // "91900"
    std::string driver;  // "580.95.05, CUDA 13000", or the latter alone where the former is not known

    // One line with all of it.
    std::string text() const;
};

// Of one of CUDA's devices. Throws Failure(Backend) where there is none.
Machine machineOf(int device);

}  // namespace dlperf::worker::cuda::dnn
