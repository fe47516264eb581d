// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/graph.h"

namespace dlperf::worker::cuda::dnn {

std::size_t GraphTensor::bytes() const {
    std::size_t count = bytesOf(type);
    for (const std::int64_t size : dimensions) {
        count *= static_cast<std::size_t>(size);
    }
    return count;
}

}  // namespace dlperf::worker::cuda::dnn
