// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/convolution_graphs.h"

#include <utility>

#include "cuda/dnn/graph_builder.h"

namespace dlperf::worker::cuda::dnn {

Graph forwardGraph(const Target& target, ElementType type, const ConvolutionShape& shape) {
    GraphBuilder builder(type);
    const auto x = builder.tensor(Uid::Input, shape.input());
    const auto w = builder.tensor(Uid::Filter, shape.filter());
    const auto y = builder.tensor(Uid::Output, shape.output());
    builder.forward(shape, x, w, y);
    return std::move(builder).finish(target, "forward", shape);
}

Graph dataGradientGraph(const Target& target, ElementType type, const ConvolutionShape& shape) {
    GraphBuilder builder(type);
    const auto dy = builder.tensor(Uid::OutputGradient, shape.output());
    const auto w = builder.tensor(Uid::Filter, shape.filter());
    const auto dx = builder.tensor(Uid::InputGradient, shape.input());
    builder.dataGradient(shape, dy, w, dx);
    return std::move(builder).finish(target, "data-gradient", shape);
}

Graph weightGradientGraph(const Target& target, ElementType type, const ConvolutionShape& shape) {
    GraphBuilder builder(type);
    const auto x = builder.tensor(Uid::Input, shape.input());
    const auto dy = builder.tensor(Uid::OutputGradient, shape.output());
    const auto dw = builder.tensor(Uid::FilterGradient, shape.filter());
    builder.weightGradient(shape, x, dy, dw);
    return std::move(builder).finish(target, "weight-gradient", shape);
}

}  // namespace dlperf::worker::cuda::dnn
