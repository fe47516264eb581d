// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels compute for one element is written so that a plain C++ compiler takes it as well: the host's
// tests run it without a GPU.

#ifdef __CUDACC__
#define DLPERF_BOTH __host__ __device__
#define DLPERF_DEVICE __device__
#else
#define DLPERF_BOTH
#define DLPERF_DEVICE
#endif

// Arrays stay in registers only where the loops over them are unrolled; the host's compiler has no such word.
#ifdef __CUDA_ARCH__
#define DLPERF_UNROLL _Pragma("unroll")
#else
#define DLPERF_UNROLL
#endif
