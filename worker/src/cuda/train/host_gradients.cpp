// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/host_gradients.h"

#include <cmath>

namespace dlperf::worker::cuda {
namespace {

void copy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, count * sizeof(float), kind, stream), "copy gradients");
}

}  // namespace

template <typename T>
HostGradients<T>::HostGradients(TrainingState<T>& state)
    : state_(state),
      count_(state.store.layout().total()),
      device_((count_ + 1) * sizeof(float)),
      host_((count_ + 1) * sizeof(float)) {}

template <typename T>
bool HostGradients<T>::download() {
    const ParameterStore<T>& store = state_.store;
    const std::size_t weights = store.layout().weights();
    float* const device = device_.template at<float>(0);
    if constexpr (std::is_same_v<T, float>) {
        copy(device, store.weightGradients(), weights, cudaMemcpyDeviceToDevice, state_.stream);
    } else {
        convert(state_.stream, weights, static_cast<const T*>(store.weightGradients()), device);
    }
    copy(device + weights, store.vectorGradients(), store.layout().vectors() + 1, cudaMemcpyDeviceToDevice,
         state_.stream);
    copy(host_.template at<float>(0), device, count_ + 1, cudaMemcpyDeviceToHost, state_.stream);
    float scale = 1;
    if (const float* const theirs = state_.optimizer.lossScale()) {
        copy(&scale, theirs, 1, cudaMemcpyDeviceToHost, state_.stream);
    }
    state_.stream.wait();

    bool finite = true;
    for (float& value : values().first(count_)) {
        value /= scale;
        finite = finite && std::isfinite(value);
    }
    return finite;
}

template <typename T>
void HostGradients<T>::apply() {
    copy(device_.template at<float>(0), host_.template at<float>(0), count_, cudaMemcpyHostToDevice,
         state_.stream);
    state_.optimizer.stepWith(device_.template at<float>(0));
    state_.stream.wait();
}

template class HostGradients<float>;
template class HostGradients<__half>;
template class HostGradients<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
