// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "cuda/kernels/kernels.h"
#include "cuda/runtime/memory.h"
#include "net/resnet50.h"

namespace dlperf::worker::cuda {

// Where parameters lie on the device. First all weights, whose copies and gradients are of the network's
// type, then all vectors (of channels and classes), which are always fp32; between parameters is padding,
// which stays zero. Weights are in the order output, height, width, input channel, the stem's with a fourth
// input channel of zeros.
class ParameterLayout {
public:
    explicit ParameterLayout(const std::vector<Parameter>& parameters);

    // Elements of the weights, padding included; the vectors begin there.
    std::size_t weights() const { return weights_; }
    std::size_t total() const { return total_; }
    std::size_t vectors() const { return total_ - weights_; }

    // In elements, from the beginning of the weights.
    std::size_t offset(std::size_t parameter) const { return slots_[parameter].offset; }
    // Where weights begin, ascending from 0.
    std::span<const std::size_t> weightOffsets() const { return weightOffsets_; }

    // Elements of the device's that are the parameter's, padding channels included.
    std::size_t stored(std::size_t parameter) const { return slots_[parameter].stored(); }
    // From the order of the parameter's shape to the device's, stored() elements, and back.
    std::vector<float> toDevice(std::size_t parameter, std::span<const float> values) const;
    std::vector<float> fromDevice(std::size_t parameter, std::span<const float> stored) const;

private:
    struct Slot {
        std::size_t offset = 0;
        std::size_t outputs = 0;
        std::size_t inputs = 0;        // as in the parameter's shape
        std::size_t inputsStored = 0;  // on the device
        std::size_t pixels = 1;        // of a filter

        std::size_t count() const { return outputs * inputs * pixels; }
        std::size_t stored() const { return outputs * inputsStored * pixels; }
        // Of the element at (output, input, pixel), on the device, from the parameter's first.
        std::size_t place(std::size_t output, std::size_t input, std::size_t pixel) const {
            return (output * pixels + pixel) * inputsStored + input;
        }
    };
    static Slot slotOf(const Parameter& parameter);
    template <typename Use>
    void forEach(std::size_t parameter, Use use) const;

    std::vector<Slot> slots_;
    std::vector<std::size_t> weightOffsets_;
    std::size_t weights_ = 0;
    std::size_t total_ = 0;
};

// Parameters on the device: fp32 master weights and momentum of all, copies of the weights in T to compute
// with, gradients of the weights in T and of the vectors in fp32. Behind the vectors' gradients is the loss,
// so that reducing them averages that too.
template <typename T>
class ParameterStore {
public:
    static constexpr bool hasCopy = !std::is_same_v<T, float>;

    // Allocated and zero, once the stream has come so far.
    ParameterStore(const std::vector<Parameter>& parameters, cudaStream_t stream) : layout_(parameters) {
        arena_.reserve(master_, layout_.total());
        arena_.reserve(momentum_, layout_.total());
        if (hasCopy) {
            arena_.reserve(copies_, layout_.weights());
        }
        arena_.reserve(weightGradients_, layout_.weights());
        arena_.reserve(vectorGradients_, layout_.vectors() + 1);
        arena_.allocate();
        clear(stream);
    }

    // Sets all to zero.
    void clear(cudaStream_t stream) const {
        check(cudaMemsetAsync(arena_.data(), 0, arena_.bytes(), stream), "clear the parameters");
    }

    const ParameterLayout& layout() const { return layout_; }

    float* master() const { return master_; }
    float* momentum() const { return momentum_; }
    // Null where the master weights are computed with.
    T* copies() const { return copies_; }
    T* weightGradients() const { return weightGradients_; }
    float* vectorGradients() const { return vectorGradients_; }
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
            convert(stream, layout_.weights(), master(), copies());
        }
    }

private:
    ParameterLayout layout_;
    DeviceArena arena_;
    float* master_ = nullptr;
    float* momentum_ = nullptr;
    T* copies_ = nullptr;
    T* weightGradients_ = nullptr;
    float* vectorGradients_ = nullptr;
};

}  // namespace dlperf::worker::cuda
