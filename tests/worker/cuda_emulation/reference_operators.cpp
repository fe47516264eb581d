// SPDX-License-Identifier: Apache-2.0
#include "reference_operators.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <limits>

#include "base/failure.h"
#include "cuda/runtime/check.h"
#include "runtime.h"
#include "tensors.h"

namespace dlperf::worker::cuda::emulation {
namespace {

template <typename T, typename Output>
void compute(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    if (pass == Pass::Forward) {
        std::vector<float> output(dnn::elementsOf(shape.output()));
        forwardLoops(shape, load<T>(tensors.input, shape.input()).data(),
                     load<T>(tensors.filter, shape.filter()).data(), output.data());
        store<Output>(output, tensors.output);
    } else if (pass == Pass::DataGradient) {
        std::vector<float> input(dnn::elementsOf(shape.input()));
        dataGradientLoops(shape, input.data(), load<T>(tensors.filter, shape.filter()).data(),
                          load<T>(tensors.output, shape.output()).data());
        store<T>(input, tensors.input);
    } else {
        std::vector<float> filter(dnn::elementsOf(shape.filter()));
        weightGradientLoops(shape, load<T>(tensors.input, shape.input()).data(), filter.data(),
                            load<T>(tensors.output, shape.output()).data());
        store<T>(filter, tensors.filter);
    }
}

[[noreturn]] void refuse(const dnn::ConvolutionShape& shape, const char* why) {
    throw Failure(ExitCode::Backend, "reference operators: " + shape.text() + ' ' + why);
}

// The convolution of one pixel that a fully connected layer is.
dnn::ConvolutionShape asConvolution(const LinearShape& shape) {
    return {.batch = shape.batch,
            .inChannels = shape.inputs,
            .outChannels = shape.outputs,
            .inSize = 1,
            .outSize = 1};
}

int allLaunches() {
    int count = 0;
    for (const auto& [kernel, times] : launches()) {
        count += times;
    }
    return count;
}

}  // namespace

template <typename T>
void ReferenceOperators<T>::prepare(std::span<const Wanted> wanted) {
    for (const Wanted& one : wanted) {
        const dnn::ConvolutionShape& shape = one.shape;
        if (shape.outSize != (shape.inSize + 2 * shape.padding - shape.kernel) / shape.stride + 1) {
            refuse(shape, "is impossible");
        }
        if (!isFused(one.pass) || setup_->passes.contains(one.pass)) {
            prepared_.insert(one);
        }
    }
}

template <typename T>
void ReferenceOperators<T>::run(const Wanted& one, const LayerTensors& tensors) {
    if (!has(one)) {
        refuse(one.shape, "was not prepared for this pass");
    }
    if (isFused(one.pass)) {
        started_.push_back(one);
        ++setup_->runs[one];
        enqueue(stream_, [=] { computeFused(one, tensors); });
    } else {
        enqueue(stream_, [=] { compute<T, T>(one.pass, one.shape, tensors); });
    }
    checkLaunch("start a convolution");
}

template <typename T>
void ReferenceOperators<T>::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    const dnn::ConvolutionShape convolution = asConvolution(shape);
    enqueue(stream_, [=] { compute<T, float>(pass, convolution, tensors); });
    checkLaunch("start the fully connected layer");
}

template <typename T>
double ReferenceOperators<T>::seconds(const std::function<void()>& start, std::size_t sets) {
    ++setup_->timings;
    if (!setup_->clock) {
        return stopwatch_.seconds(start, std::numeric_limits<double>::infinity(), sets);
    }
    started_.clear();
    const int before = allLaunches();
    const CapturedGraph graph(stream_, start);
    if (timed_.emplace(started_, allLaunches() - before).second) {
        graph.launch(stream_);
        check(cudaStreamSynchronize(stream_), "finish its work");
    }
    return setup_->clock(started_);
}

template <typename T>
std::optional<int> ReferenceOperators<T>::remembered(const std::string& key) const {
    const auto found = setup_->choices.find(key);
    return found == setup_->choices.end() ? std::nullopt : std::optional(found->second);
}

template class ReferenceOperators<float>;
template class ReferenceOperators<__half>;
template class ReferenceOperators<__nv_bfloat16>;

}  // namespace dlperf::worker::cuda::emulation
