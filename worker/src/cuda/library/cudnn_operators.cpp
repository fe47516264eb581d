// SPDX-License-Identifier: Apache-2.0
#include "cuda/library/cudnn_operators.h"

#include <cudnn_graph.h>
#include <array>

#include "base/failure.h"
#include "cuda/dnn/convolution_graphs.h"

namespace dlperf::worker::cuda {
namespace {

std::array<dnn::Binding, 3> bindingsOf(Pass pass, const LayerTensors& tensors) {
    using dnn::Uid;
    switch (pass) {
        case Pass::Forward:
            return {
                {{Uid::Input, tensors.input}, {Uid::Filter, tensors.filter}, {Uid::Output, tensors.output}}};
        case Pass::DataGradient:
            return {{{Uid::InputGradient, tensors.input},
                     {Uid::Filter, tensors.filter},
                     {Uid::OutputGradient, tensors.output}}};
        case Pass::WeightGradient:
            break;
    }
    return {{{Uid::Input, tensors.input},
             {Uid::FilterGradient, tensors.filter},
             {Uid::OutputGradient, tensors.output}}};
}

}  // namespace

CudnnOperators::CudnnOperators(const Stream& stream, dnn::ElementType type, FusionPolicy policy)
    : type_(type), finder_(stream), linear_(stream, type) {
    if (type == dnn::ElementType::Fp16) {
        fused_.emplace(finder_, stream, policy);
    }
}

dnn::Graph CudnnOperators::graphOf(Pass pass, const dnn::ConvolutionShape& shape) const {
    switch (pass) {
        case Pass::Forward:
            return dnn::forwardGraph(finder_.target(), type_, shape);
        case Pass::DataGradient:
            return dnn::dataGradientGraph(finder_.target(), type_, shape);
        case Pass::WeightGradient:
            break;
    }
    return dnn::weightGradientGraph(finder_.target(), type_, shape);
}

void CudnnOperators::prepare(std::span<const Wanted> wanted) {
    for (const Wanted& one : wanted) {
        const std::pair key(one.pass, one.shape);
        if (!plans_.contains(key)) {
            plans_.emplace(key, finder_.find(graphOf(one.pass, one.shape)));
        }
    }
    finder_.allocateWorkspace();
}

void CudnnOperators::run(Pass pass, const dnn::ConvolutionShape& shape, const LayerTensors& tensors) {
    const auto plan = plans_.find({pass, shape});
    if (plan == plans_.end()) {
        throw Failure(ExitCode::Internal, "a convolution was not prepared: " + shape.text());
    }
    finder_.execute(plan->second, bindingsOf(pass, tensors));
}

void CudnnOperators::run(Pass pass, const LinearShape& shape, const LayerTensors& tensors) {
    linear_.run(pass, shape, tensors);
}

std::string CudnnOperators::libraries() const {
    const std::size_t version = cudnnGetVersion();
    const auto part = [](std::size_t number) { return std::to_string(number); };
    return "cuDNN " + part(version / 10000) + "." + part(version / 100 % 100) + "." + part(version % 100) +
           ", " + linear_.nameAndVersion();
}

}  // namespace dlperf::worker::cuda
