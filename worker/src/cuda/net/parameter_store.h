// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "cuda/kernels/convert.h"
#include "cuda/net/parameter_layout.h"
#include "cuda/runtime/device_arena.h"

namespace dlperf::worker::cuda {

// Parameters on the device: fp32 master weights and momentum of all, copies of the weights in T to compute
// with, gradients of the weights in T and of the vectors in fp32. Behind the vectors' gradients is the loss,
// so that reducing them averages that too.
template <typename T>
class ParameterStore {
public:
    static constexpr bool hasCopy = !std::is_same_v<T, float>;

    // Allocated and zero, once the stream has come so far.
    ParameterStore(const std::vector<Parameter>& parameters, cudaStream_t stream) : layout_(parameters) {
        master_ = arena_.reserve<float>(layout_.total());
        momentum_ = arena_.reserve<float>(layout_.total());
        if (hasCopy) {
            copy_ = arena_.reserve<T>(layout_.weights());
        }
        weightGradients_ = arena_.reserve<T>(layout_.weights());
        vectorGradients_ = arena_.reserve<float>(layout_.vectors() + 1);
        arena_.allocate();
        check(cudaMemsetAsync(arena_.at<void>(0), 0, arena_.bytes(), stream), "clear the parameters");
    }

    const ParameterLayout& layout() const { return layout_; }

    float* master() const { return arena_.at<float>(master_); }
    float* momentum() const { return arena_.at<float>(momentum_); }
    // Null where the master weights are computed with.
    T* copies() const { return hasCopy ? arena_.at<T>(copy_) : nullptr; }
    T* weightGradients() const { return arena_.at<T>(weightGradients_); }
    float* vectorGradients() const { return arena_.at<float>(vectorGradients_); }
    float* loss() const { return vectorGradients() + layout_.vectors(); }

    // What is computed with, of a parameter that is a weight.
    T* weight(std::size_t parameter) const {
        if constexpr (hasCopy) {
            return copies() + layout_.offset(parameter);
        } else {
            return master() + layout_.offset(parameter);
        }
    }
    T* weightGradient(std::size_t parameter) const { return weightGradients() + layout_.offset(parameter); }
    // Of a parameter that is a vector.
    float* vector(std::size_t parameter) const { return master() + layout_.offset(parameter); }
    float* vectorGradient(std::size_t parameter) const {
        return vectorGradients() + (layout_.offset(parameter) - layout_.weights());
    }

    // After the master weights were set from outside.
    void refreshCopies(cudaStream_t stream) const {
        if constexpr (hasCopy) {
            convert(stream, layout_.weights(), static_cast<const float*>(master()), copies());
        }
    }

private:
    ParameterLayout layout_;
    DeviceArena arena_;
    std::size_t master_ = 0, momentum_ = 0, copy_ = 0, weightGradients_ = 0, vectorGradients_ = 0;
};

}  // namespace dlperf::worker::cuda
