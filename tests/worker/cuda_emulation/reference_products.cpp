// SPDX-License-Identifier: Apache-2.0
#include "reference_products.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "convolution_loops.h"
#include "cuda/check.h"
#include "failure.h"
#include "runtime.h"

namespace dlperf::worker::cuda::emulation {
namespace {

float toFloat(float x) {
    return x;
}
float toFloat(__half x) {
    return __half2float(x);
}
float toFloat(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
void assign(float& to, float x) {
    to = x;
}
void assign(__half& to, float x) {
    to = __float2half_rn(x);
}
void assign(__nv_bfloat16& to, float x) {
    to = __float2bfloat16_rn(x);
}

std::size_t count(const dnn::Dimensions& dimensions) {
    std::size_t product = 1;
    for (const std::int64_t size : dimensions)
        product *= static_cast<std::size_t>(size);
    return product;
}

template <typename T>
std::vector<float> load(const void* tensor, const dnn::Dimensions& dimensions) {
    const T* const from = static_cast<const T*>(tensor);
    std::vector<float> values(count(dimensions));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = toFloat(from[i]);
    return values;
}

template <typename T>
void store(const std::vector<float>& values, void* tensor) {
    T* const to = static_cast<T*>(tensor);
    for (std::size_t i = 0; i < values.size(); ++i)
        assign(to[i], values[i]);
}

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
    throw Failure(ExitCode::Backend, "reference products: " + shape.text() + ' ' + why);
}

void checkTensors(const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    for (const void* const tensor : {tensors.input, tensors.filter, tensors.output}) {
        if (tensor == nullptr) refuse(shape, "lacks a tensor");
        if (reinterpret_cast<std::uintptr_t>(tensor) % 16 != 0)
            refuse(shape, "has a tensor that is not aligned");
    }
}

/// The convolution of one pixel that a fully connected layer is.
dnn::ConvolutionShape asConvolution(const LinearShape& shape) {
    return {.batch = shape.batch,
            .inChannels = shape.inputs,
            .outChannels = shape.outputs,
            .inSize = 1,
            .outSize = 1};
}

}  // namespace

template <typename T>
void ReferenceProducts<T>::prepare(std::span<const Wanted> wanted) {
    for (const auto& [pass, shape] : wanted) {
        if (ready_) refuse(shape, "is prepared after others");
        if (shape.outSize != (shape.inSize + 2 * shape.padding - shape.kernel) / shape.stride + 1)
            refuse(shape, "is impossible");
        prepared_.emplace(pass, shape);
    }
    ready_ = true;
}

template <typename T>
void ReferenceProducts<T>::run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    if (!prepared_.contains({pass, shape})) refuse(shape, "was not prepared for this pass");
    checkTensors(shape, tensors);
    enqueue(stream_, [=] { compute<T, T>(pass, shape, tensors); });
    checkLaunch("start a convolution");
}

template <typename T>
void ReferenceProducts<T>::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    const dnn::ConvolutionShape convolution = asConvolution(shape);
    checkTensors(convolution, tensors);
    enqueue(stream_, [=] { compute<T, float>(pass, convolution, tensors); });
    checkLaunch("start the fully connected layer");
}

template class ReferenceProducts<float>;
template class ReferenceProducts<__half>;
template class ReferenceProducts<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda::emulation
