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
HostGradients<T>::HostGradients(Trainee<T>& trainee)
    : trainee_(trainee),
      count_(trainee.store.layout().total()),
      device_((count_ + 1) * sizeof(float)),
      host_((count_ + 1) * sizeof(float)) {}

template <typename T>
bool HostGradients<T>::download() {
    const ParameterStore<T>& store = trainee_.store;
    const std::size_t weights = store.layout().weights();
    float* const device = device_.template at<float>(0);
    if constexpr (std::is_same_v<T, float>)
        copy(device, store.weightGradients(), weights, cudaMemcpyDeviceToDevice, trainee_.stream);
    else
        convert(trainee_.stream, weights, static_cast<const T*>(store.weightGradients()), device);
    copy(device + weights, store.vectorGradients(), store.layout().vectors() + 1, cudaMemcpyDeviceToDevice,
         trainee_.stream);
    copy(host_.template at<float>(0), device, count_ + 1, cudaMemcpyDeviceToHost, trainee_.stream);
    float scale = 1;
    if (const float* const theirs = trainee_.optimizer.lossScale())
        copy(&scale, theirs, 1, cudaMemcpyDeviceToHost, trainee_.stream);
    trainee_.stream.wait();

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
         trainee_.stream);
    trainee_.optimizer.stepWith(device_.template at<float>(0));
    trainee_.stream.wait();
}

template class HostGradients<float>;
template class HostGradients<__half>;
template class HostGradients<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda
