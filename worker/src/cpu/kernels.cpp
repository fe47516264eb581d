// SPDX-License-Identifier: Apache-2.0
#include "cpu/kernels.h"

namespace dlperf::worker::cpu {

#ifdef DLPERF_X86_KERNELS
namespace avx512 {
extern const Kernels allKernels;
}
namespace avx2 {
extern const Kernels allKernels;
}
#endif
namespace baseline {
extern const Kernels allKernels;
}

const Kernels& kernels() {
#ifdef DLPERF_X86_KERNELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd")) {
        return avx512::allKernels;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        return avx2::allKernels;
    }
#endif
    return baseline::allKernels;
}

}  // namespace dlperf::worker::cpu
