// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backend/backend.h"
#include "cuda/net/conv_norm_steps.h"
#include "cuda/operators/operators.h"
#include "net/resnet50.h"

namespace dlperf::worker::cuda {

// All fused passes that the network has a use for, each once. The stem is not among them: nothing normalised
// is in front of it, and cuDNN has no plan that makes statistics of so few input channels.
std::vector<FusedOperators::Wanted> wantedFused(const ResNet50& net, int batch);

// Of every convolution of the network, by the operators' policy; what is measured is measured here, for each
// shape once, with memory that is free again afterwards. With frozen statistics, and in types other than
// fp16, nothing is fused. The operators are prepared, but what they have of fused passes is not.
std::vector<FusionStrategy> chooseFusion(const ResNet50& net, const Problem& problem, Operators& operators,
                                         cudaStream_t stream);

}  // namespace dlperf::worker::cuda
