// SPDX-License-Identifier: Apache-2.0
#include "cpu/parameter_store.h"

namespace dlperf::worker::cpu {

void ParameterStore::add(std::size_t count) {
    const std::size_t bytes = count * sizeof(float);
    offsets_.push_back(weights_.reserve(bytes) / sizeof(float));
    momentum_.reserve(bytes);
    gradients_.reserve(bytes);
}

void ParameterStore::allocate() {
    gradients_.reserve(sizeof(float));
    weights_.allocate();
    momentum_.allocate();
    gradients_.allocate();
}

}  // namespace dlperf::worker::cpu
