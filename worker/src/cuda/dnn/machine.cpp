// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/machine.h"

#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <fstream>
#include <memory>

#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda::dnn {
namespace {

std::string driverText() {
    int version = 0;
    check(cudaDriverGetVersion(&version), "find its driver");
    std::string release;
    std::ifstream file("/sys/module/nvidia/version");
    std::getline(file, release);
    const std::string supported = "CUDA " + std::to_string(version);
    return release.empty() ? supported : release + ", " + supported;
}

}  // namespace

std::string Machine::text() const {
    return gpu + "; cuDNN " + cudnn + "; driver " + driver;
}

Machine machineOf(int device) {
    const auto properties = std::make_unique<cudaDeviceProp>();
    check(cudaGetDeviceProperties(properties.get(), device), "find the GPU");
    return {properties->name, std::to_string(cudnnGetVersion()), driverText()};
}

}  // namespace dlperf::worker::cuda::dnn
