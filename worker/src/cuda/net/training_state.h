// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <memory>
#include <type_traits>

#include "backend/backend.h"
#include "cuda/kernels/kernels.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/net/network.h"
#include "cuda/net/parameter_store.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// What is behind the gradients: the optimizer and, in fp16, the loss scale. Its numbers are in the device's
// memory, where a captured graph reads them.
template <typename T>
class Optimizer {
public:
    // Only fp16 has so small a range that gradients vanish in it.
    static constexpr bool scalesLoss = std::is_same_v<T, __half>;

    // The store outlives this.
    Optimizer(const ParameterStore<T>& store, cudaStream_t stream);

    // For the steps that follow; waits until the device has it.
    void set(const SgdStep& step);
    void set(const LossScaleState& state);

    LossScaleState readState() const;

    // For the loss; null where it is not scaled.
    const float* lossScale() const { return scalesLoss ? &state()->scale : nullptr; }
    LossScaleState* state() const { return state_; }

    // One step with the store's gradients, which are multiplied by the loss scale. It is skipped where one
    // of them is not finite; the scale then falls.
    void step() const;

    // Starts all kernels of a step on nothing, so that their code is there.
    void warmUp() const;

    // One step with gradients of all parameters in fp32, as they lie in the store's layout, not multiplied by
    // the loss scale; in fp16 left out as above.
    void stepWith(const float* gradients) const;

    void observeWith(WorkObserver* observer) { observer_ = observer; }

private:
    struct Counts {
        std::size_t weights = 0;
        std::size_t vectors = 0;
    };
    Counts all() const { return {store_.layout().weights(), store_.layout().vectors()}; }
    template <typename G>
    void update(Counts counts, const G* weightGradients, const float* vectorGradients,
                const LossScaleState* scale) const;
    template <typename Value>
    void write(Value* place, const Value& value) const;

    const ParameterStore<T>& store_;
    cudaStream_t stream_;
    DeviceArena arena_;
    SgdControl* control_ = nullptr;
    LossScaleState* state_ = nullptr;
    int* overflow_ = nullptr;
    WorkObserver* observer_ = nullptr;
};

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
