// SPDX-License-Identifier: Apache-2.0
#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::dnn {

std::string ConvolutionShape::text() const {
    const auto part = [](const char* name, int value) { return name + std::to_string(value); };
    return part("n", batch) + part(" c", inChannels) + part(" k", outChannels) + part(" in", inSize) +
           part(" out", outSize) + part(" r", kernel) + part(" s", stride) + part(" p", padding);
}

ConvolutionShape shapeOf(const ConvLayer& layer, int batch) {
    ConvolutionShape shape;
    shape.batch = batch;
    shape.inChannels = static_cast<int>(roundedUp(asIndex(layer.inChannels), 4));
    shape.outChannels = layer.outChannels;
    shape.inSize = layer.inSize;
    shape.outSize = layer.outSize;
    shape.kernel = layer.kernel;
    shape.stride = layer.stride;
    shape.padding = layer.padding;
    return shape;
}

}  // namespace dlperf::worker::cuda::dnn
