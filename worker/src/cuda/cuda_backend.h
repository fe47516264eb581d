// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "cuda/operators/operators.h"
#include "cuda/runtime/device_comm.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// What a backend is put together from; tests put in others.
struct BackendFactories {
    std::function<std::unique_ptr<Operators>(const Stream& stream, Precision precision)> makeOperators;
    // The GPUs of a world of more than one; empty: this build cannot connect them.
    std::function<std::unique_ptr<DeviceComm>(const TrainerSetup& setup)> connect;
};

// GPUs that this process sees; 0 where there is no driver. A GPU that cannot be used, as its driver is too
// old, counts as well: whoever tries hears why.
int deviceCount();

// Makes the device, counted around where there are fewer, this thread's, and returns its Backend::deviceId().
// Throws Failure(Backend).
std::string useDevice(int wanted);

// On the problem's device, counted around where there are fewer, which becomes this thread's. Throws
// Failure(Backend, Memory).
std::unique_ptr<Backend> makeCudaBackend(const Problem& problem, const BackendFactories& factories);

}  // namespace dlperf::worker::cuda
