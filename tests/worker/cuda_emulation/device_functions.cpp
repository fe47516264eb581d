// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for devices, versions and errors, whose numbers are in driver_types.h.
#include <cstdio>
#include <string>

#include "state.h"

namespace dlperf::worker::cuda::emulation {
namespace {

// As call(), for a function that is told the device.
template <typename Body>
cudaError_t callOn(int device, const char* function, const Body& body) {
    return call(function, [&](Lock&) {
        const bool exists = device >= 0 && device < settings().devices;
        return exists ? body() : cudaErrorInvalidDevice;
    });
}

}  // namespace
}  // namespace dlperf::worker::cuda::emulation

using namespace dlperf::worker::cuda::emulation;

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 0;
    return call(__func__, [&](Lock&) {
        *count = settings().devices;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return call(__func__, [&](Lock&) {
        *device = currentDevice;
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return callOn(device, __func__, [&] {
        currentDevice = device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return callOn(device, __func__, [&] {
        *properties = cudaDeviceProp{};
        std::snprintf(properties->name, sizeof properties->name, "Emulated GPU");
        properties->uuid.bytes[0] = static_cast<char>(device + 1);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return callOn(device, __func__, [&] {
        if (attribute != cudaDevAttrL2CacheSize) {
            return cudaErrorInvalidValue;
        }
        *value = static_cast<int>(deviceCache);
        return cudaSuccess;
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    const Lock lock(mutex());
    *version = CUDART_VERSION;
    return injectedError(__func__);
}

cudaError_t cudaGetLastError() {
    return std::exchange(lastError, cudaSuccess);
}

const char* cudaGetErrorString(cudaError_t error) {
    thread_local std::string text;
    text = "error " + std::to_string(error) + " of the emulated runtime";
    return text.c_str();
}
