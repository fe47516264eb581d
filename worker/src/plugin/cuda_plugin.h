// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/backend.h"

namespace dlperf::worker {

// What libdlperf_worker_cuda.so offers. The program loads it at run time, so that it also works without CUDA.
struct CudaPlugin {
    const char* version;  // pluginVersion() of the sources that it was built of
    int (*devices)();     // GPUs that this process sees; 0 where there is no driver
    std::unique_ptr<Backend> (*makeBackend)(const Problem& problem);
    // Makes the GPU this thread's, counted as Problem's, and returns its Backend::deviceId(); empty where
    // this build cannot reduce from GPU to GPU. Throws Failure(Backend).
    std::string (*linkedDevice)(int device);
    // Connects that GPU with those of all other ranks, for messages of `mostBytes` or less. Throws Failure.
    std::unique_ptr<LinkTimer> (*connectLinks)(const TrainerSetup& setup, std::size_t mostBytes);
    // Makes the GPU this thread's. Throws Failure(Backend), saying what to do, where it cannot decode images.
    void (*checkDecoding)(int device);
};

// Null where there is none to use; then `reason` says why.
struct FoundPlugin {
    const CudaPlugin* plugin = nullptr;
    bool exists = false;  // the file does
    std::string reason;
};

// The file that DLPERF_WORKER_CUDA names, else libdlperf_worker_cuda.so beside the program. It stays loaded.
FoundPlugin findCudaPlugin();

}  // namespace dlperf::worker

// The one function that the library exports.
extern "C" const dlperf::worker::CudaPlugin* dlperfWorkerCudaPlugin();
