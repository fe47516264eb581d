// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/training_state.h"

namespace dlperf::worker::cuda {

template <typename T>
Optimizer<T>::Optimizer(const ParameterStore<T>& store, cudaStream_t stream)
    : store_(store), stream_(stream) {
    arena_.reserve(control_, 1);
    arena_.reserve(state_, 1);
    arena_.reserve(overflow_, 1);
    arena_.allocate();
    write(control_, SgdControl{0, 0, 0, 1});
    write(state_, LossScaleState{});
    write(overflow_, 0);
}

template <typename T>
template <typename Value>
void Optimizer<T>::write(Value* place, const Value& value) const {
    check(cudaMemcpyAsync(place, &value, sizeof value, cudaMemcpyHostToDevice, stream_), "set the optimizer");
    check(cudaStreamSynchronize(stream_), "set the optimizer");
}

template <typename T>
void Optimizer<T>::set(const SgdStep& step) {
    write(control_, SgdControl{step.learningRate, step.momentum, step.weightDecay, step.gradientScale});
}

template <typename T>
void Optimizer<T>::set(const LossScaleState& state) {
    write(state_, state);
}

template <typename T>
LossScaleState Optimizer<T>::readState() const {
    LossScaleState state;
    check(cudaMemcpyAsync(&state, state_, sizeof state, cudaMemcpyDeviceToHost, stream_),
          "read the loss scale");
    check(cudaStreamSynchronize(stream_), "read the loss scale");
    return state;
}

template <typename T>
template <typename G>
void Optimizer<T>::update(Counts counts, const G* weightGradients, const float* vectorGradients,
                          const LossScaleState* scale) const {
    const auto [weights, vectors] = counts;
    if (observer_ != nullptr) {
        const double bytes =
            static_cast<double>(weights) * (sizeof(G) + 16 + (store_.hasCopy ? sizeof(T) : 0)) +
            static_cast<double>(vectors) * 20;
        observer_->begin(Work::Optimizer, bytes, 0);
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
    sgd<float, float>(stream_, vectors, {vectorGradients, momentum + first, master + first, nullptr}, inputs);
    if constexpr (scalesLoss) {
        updateLossScale(stream_, state_, overflow_);
    }
}

template <typename T>
void Optimizer<T>::step() const {
    update(all(), store_.weightGradients(), store_.vectorGradients(), scalesLoss ? state_ : nullptr);
}

template <typename T>
void Optimizer<T>::warmUp() const {
    const LossScaleState before = readState();
    update(Counts{}, store_.weightGradients(), store_.vectorGradients(), scalesLoss ? state_ : nullptr);
    write(state_, before);
}

template <typename T>
void Optimizer<T>::stepWith(const float* gradients) const {
    update(all(), gradients, gradients + store_.layout().weights(), nullptr);
}

template class Optimizer<float>;
template class Optimizer<__half>;
template class Optimizer<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
