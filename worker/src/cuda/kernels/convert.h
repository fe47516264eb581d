// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace dlperf::worker::cuda {

// y = x, rounded to the nearest where To is the smaller; one of the two types is float, the other float,
// __half or __nv_bfloat16. Pointers are to the device, multiples of 16 bytes. Moves both sizes an element.
template <typename From, typename To>
void convert(cudaStream_t stream, std::size_t count, const From* x, To* y);

}  // namespace dlperf::worker::cuda
