// SPDX-License-Identifier: Apache-2.0
#include "cuda/net/parameter_store.h"

#include "base/numbers.h"

namespace dlperf::worker::cuda {
namespace {

// So that every parameter begins at a multiple of 128 bytes in each of the types.
constexpr std::size_t alignment = 64;
// cuDNN has its fast engines for this many input channels.
constexpr std::size_t channelMultiple = 4;

bool isWeightKind(Parameter::Kind kind) {
    return kind == Parameter::Kind::ConvWeight || kind == Parameter::Kind::LinearWeight;
}

}  // namespace

ParameterLayout::Slot ParameterLayout::slotOf(const Parameter& parameter) {
    Slot slot;
    slot.outputs = parameter.shape[0];
    slot.inputs = parameter.shape.size() > 1 ? parameter.shape[1] : 1;
    slot.inputsStored = slot.inputs;
    if (parameter.kind == Parameter::Kind::ConvWeight) {
        slot.pixels = parameter.shape[2] * parameter.shape[3];
        slot.inputsStored = roundedUp(slot.inputs, channelMultiple);
    }
    return slot;
}

ParameterLayout::ParameterLayout(const std::vector<Parameter>& parameters) {
    slots_.resize(parameters.size());
    for (const bool weights : {true, false}) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (isWeightKind(parameters[i].kind) != weights) {
                continue;
            }
            slots_[i] = slotOf(parameters[i]);
            slots_[i].offset = total_;
            if (weights) {
                weightOffsets_.push_back(total_);
            }
            total_ += roundedUp(slots_[i].stored(), alignment);
        }
        if (weights) {
            weights_ = total_;
        }
    }
}

// Calls use(index in the parameter's shape, index on the device).
template <typename Use>
void ParameterLayout::forEach(std::size_t parameter, Use use) const {
    const Slot& slot = slots_[parameter];
    std::size_t index = 0;
    for (std::size_t output = 0; output < slot.outputs; ++output) {
        for (std::size_t input = 0; input < slot.inputs; ++input) {
            for (std::size_t pixel = 0; pixel < slot.pixels; ++pixel, ++index) {
                use(index, slot.place(output, input, pixel));
            }
        }
    }
}

std::vector<float> ParameterLayout::toDevice(std::size_t parameter, std::span<const float> values) const {
    std::vector<float> stored(slots_[parameter].stored(), 0.0F);
    forEach(parameter, [&](std::size_t index, std::size_t place) { stored[place] = values[index]; });
    return stored;
}

std::vector<float> ParameterLayout::fromDevice(std::size_t parameter, std::span<const float> stored) const {
    std::vector<float> values(slots_[parameter].count());
    forEach(parameter, [&](std::size_t index, std::size_t place) { values[index] = stored[place]; });
    return values;
}

}  // namespace dlperf::worker::cuda
