// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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
    bool isWeight(std::size_t parameter) const { return slots_[parameter].offset < weights_; }
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

}  // namespace dlperf::worker::cuda
