// SPDX-License-Identifier: Apache-2.0
#include "reference_operators.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <vector>

#include "base/failure.h"
#include "convolution_loops.h"
#include "cuda/runtime/check.h"
#include "runtime.h"
#include "tensors.h"

namespace dlperf::worker::cuda::emulation {
namespace {

template <typename T, typename Output>
void compute(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    if (pass == Pass::Forward) {
        std::vector<float> output(count(shape.output()));
        forwardLoops(shape, load<T>(tensors.input, shape.input()).data(),
                     load<T>(tensors.filter, shape.filter()).data(), output.data());
        store<Output>(output, tensors.output);
    } else if (pass == Pass::DataGradient) {
        std::vector<float> input(count(shape.input()));
        dataGradientLoops(shape, input.data(), load<T>(tensors.filter, shape.filter()).data(),
                          load<T>(tensors.output, shape.output()).data());
        store<T>(input, tensors.input);
    } else {
        std::vector<float> filter(count(shape.filter()));
        weightGradientLoops(shape, load<T>(tensors.input, shape.input()).data(), filter.data(),
                            load<T>(tensors.output, shape.output()).data());
        store<T>(filter, tensors.filter);
    }
}

[[noreturn]] void refuse(const dnn::ConvolutionShape& shape, const char* why) {
    throw Failure(ExitCode::Backend, "reference operators: " + shape.text() + ' ' + why);
}

void checkTensors(const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    for (const void* const tensor : {tensors.input, tensors.filter, tensors.output}) {
        if (tensor == nullptr) {
            refuse(shape, "lacks a tensor");
        }
        if (reinterpret_cast<std::uintptr_t>(tensor) % 16 != 0) {
            refuse(shape, "has a tensor that is not aligned");
        }
    }
}

// The convolution of one pixel that a fully connected layer is.
dnn::ConvolutionShape asConvolution(const LinearShape& shape) {
    return {.batch = shape.batch,
            .inChannels = shape.inputs,
            .outChannels = shape.outputs,
            .inSize = 1,
            .outSize = 1};
}

}  // namespace

template <typename T>
void ReferenceOperators<T>::prepare(std::span<const Wanted> wanted) {
    for (const auto& [pass, shape] : wanted) {
        if (ready_) {
            refuse(shape, "is prepared after others");
        }
        if (shape.outSize != (shape.inSize + 2 * shape.padding - shape.kernel) / shape.stride + 1) {
            refuse(shape, "is impossible");
        }
        prepared_.emplace(pass, shape);
    }
    ready_ = true;
}

template <typename T>
void ReferenceOperators<T>::run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    if (!prepared_.contains({pass, shape})) {
        refuse(shape, "was not prepared for this pass");
    }
    checkTensors(shape, tensors);
    enqueue(stream_, [=] { compute<T, T>(pass, shape, tensors); });
    checkLaunch("start a convolution");
}

template <typename T>
void ReferenceOperators<T>::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    const dnn::ConvolutionShape convolution = asConvolution(shape);
    checkTensors(convolution, tensors);
    enqueue(stream_, [=] { compute<T, float>(pass, convolution, tensors); });
    checkLaunch("start the fully connected layer");
}

template class ReferenceOperators<float>;
template class ReferenceOperators<__half>;
template class ReferenceOperators<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda::emulation
