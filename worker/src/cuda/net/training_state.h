// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>

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
    Optimizer(const ParameterStore<T>& store, cudaStream_t stream) : store_(store), stream_(stream) {
        arena_.reserve(control_, 1);
        arena_.reserve(state_, 1);
        arena_.reserve(overflow_, 1);
        arena_.allocate();
        write(control_, SgdStep{});
        write(state_, LossScaleState{});
        write(overflow_, 0);
    }

    // For the steps that follow; waits until the device has it.
    void set(const SgdStep& step) { write(control_, step); }
    void set(const LossScaleState& state) { write(state_, state); }

    LossScaleState readState() const {
        LossScaleState state;
        check(cudaMemcpyAsync(&state, state_, sizeof state, cudaMemcpyDeviceToHost, stream_),
              "read the loss scale");
        check(cudaStreamSynchronize(stream_), "read the loss scale");
        return state;
    }

    // For the loss; null where it is not scaled.
    const float* lossScale() const { return scalesLoss ? &state()->scale : nullptr; }
    LossScaleState* state() const { return state_; }

    // One step with the store's gradients, which are multiplied by the loss scale. It is skipped where one
    // of them is not finite; the scale then falls.
    void step() const {
        update(all(), store_.weightGradients(), store_.vectorGradients(), scalesLoss ? state_ : nullptr);
    }

    // Starts all kernels of a step on nothing, so that their code is there.
    void warmUp() const {
        const LossScaleState before = readState();
        update(Counts{}, store_.weightGradients(), store_.vectorGradients(), scalesLoss ? state_ : nullptr);
        write(state_, before);
    }

    // One step with gradients of all parameters in fp32, as they lie in the store's layout, not multiplied by
    // the loss scale; in fp16 left out as above.
    void stepWith(const float* gradients) const {
        update(all(), gradients, gradients + store_.layout().weights(), nullptr);
    }

    void observeWith(const WorkObserver& observer) { observer_ = observer; }

private:
    struct Counts {
        std::size_t weights = 0;
        std::size_t vectors = 0;
    };
    Counts all() const { return {store_.layout().weights(), store_.layout().vectors()}; }
    template <typename G>
    void update(Counts counts, const G* weightGradients, const float* vectorGradients,
                const LossScaleState* scale) const {
        const auto [weights, vectors] = counts;
        if (observer_) {
            const double bytes =
                static_cast<double>(weights) * (sizeof(G) + 16 + (store_.hasCopy ? sizeof(T) : 0)) +
                static_cast<double>(vectors) * 20;
            observer_(Work::Optimizer, bytes, 0);
        }
        if constexpr (scalesLoss) {
            findOverflow(stream_, weightGradients, weights, overflow_);
            findOverflow(stream_, vectorGradients, vectors, overflow_);
        }
        const SgdInputs inputs{control_, scale, scalesLoss ? overflow_ : nullptr};
        float* const master = store_.master();
        float* const momentum = store_.momentum();
        const std::size_t first = store_.layout().weights();  // of the vectors
        sgd<G, T>(stream_, weights, {weightGradients, momentum, master, store_.copies()}, inputs);
        sgd<float, float>(stream_, vectors, {vectorGradients, momentum + first, master + first, nullptr},
                          inputs);
        if constexpr (scalesLoss) {
            updateLossScale(stream_, state_, overflow_);
        }
    }
    template <typename Value>
    void write(Value* place, const Value& value) const {
        check(cudaMemcpyAsync(place, &value, sizeof value, cudaMemcpyHostToDevice, stream_),
              "set the optimizer");
        check(cudaStreamSynchronize(stream_), "set the optimizer");
    }

    const ParameterStore<T>& store_;
    cudaStream_t stream_;
    DeviceArena arena_;
    SgdStep* control_ = nullptr;
    LossScaleState* state_ = nullptr;
    int* overflow_ = nullptr;
    WorkObserver observer_;
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
