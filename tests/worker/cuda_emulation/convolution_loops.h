// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/operators/operators.h"

namespace dlperf::worker::cuda::emulation {

// A convolution's numbers, in operators.h's layouts. What a function sets must be zero before.
void forwardLoops(const dnn::ConvolutionShape& shape, const float* input, const float* filter, float* output);
void dataGradientLoops(const dnn::ConvolutionShape& shape, float* input, const float* filter,
                       const float* output);
void weightGradientLoops(const dnn::ConvolutionShape& shape, const float* input, float* filter,
                         const float* output);

}  // namespace dlperf::worker::cuda::emulation
