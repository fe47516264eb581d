// SPDX-License-Identifier: Apache-2.0
// oneDNN computes bf16 on CPUs with AVX-512 only. On others the worker refuses, and that is what tests expect
// there.
#pragma once

namespace dlperf::worker::test {

inline bool cpuHasBf16() {
    return __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0;
}

}  // namespace dlperf::worker::test
