// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "runtime.h"

namespace dlperf::worker::cuda::emulation {

// Held by every function of the runtime, but not while work is done: a rank's may wait for another's.
using Lock = std::unique_lock<std::mutex>;
std::mutex& mutex();

struct InjectedError {
    cudaError_t error = cudaSuccess;
    int callsBefore = 0;
};

constexpr std::size_t deviceMemory = std::size_t{8} << 30;

// What a test has set.
struct Settings {
    Schedule schedule = Schedule::Lazy;
    int devices = 1;
    std::size_t memory = deviceMemory;
    std::map<std::string, InjectedError> errors;
    std::map<std::string, int> launches;  // counted, not set
};
Settings& settings();

// Of this thread, as in CUDA.
inline thread_local int currentDevice = 0;
inline thread_local cudaError_t lastError = cudaSuccess;

// Success where no test wants this call to fail.
cudaError_t injectedError(const char* function);

// What all functions of the runtime that need a device have in common.
template <typename Body>
cudaError_t call(const char* function, Body&& body) {
    Lock lock(mutex());
    cudaError_t result = injectedError(function);
    if (result == cudaSuccess && settings().devices == 0) {
        result = cudaErrorNoDevice;
    }
    if (result == cudaSuccess) {
        result = std::forward<Body>(body)(lock);
    }
    if (result != cudaSuccess) {
        lastError = result;
    }
    return result;
}

// Adds what is allocated.
void count(Live& live);

// Ends the program with a sentence: for defects that CUDA would not notice.
[[noreturn]] void giveUp(const char* why);

}  // namespace dlperf::worker::cuda::emulation
