// SPDX-License-Identifier: Apache-2.0
// A CUDA backend as an older build left it behind.
#include "plugin/cuda_plugin.h"

extern "C" const dlperf::worker::CudaPlugin* dlperfWorkerCudaPlugin() {
    static const dlperf::worker::CudaPlugin plugin{"0.0.1 of old", [] { return 1; }, nullptr,
                                                   nullptr,        nullptr,          nullptr};
    return &plugin;
}
