// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cuda/net/network.h"
#include "cuda/net/optimizer.h"
#include "cuda/net/parameter_store.h"
#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda {

// What is trained, and what computes it, on one device and in one stream.
template <typename T>
struct TrainingState {
    TrainingState(const ResNet50& net, const std::vector<Parameter>& parameters, const Problem& problem,
                  Operators& operators, const Stream& computing)
        : stream(computing),
          store(parameters, stream),
          network(net, problem, store, operators, stream),
          optimizer(store, stream) {}

    const Stream& stream;
    ParameterStore<T> store;
    Network<T> network;
    Optimizer<T> optimizer;
};

}  // namespace dlperf::worker::cuda
