// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for devices, versions and errors, whose numbers are in driver_types.h.
#include <cstdio>
#include <string>

#include "state.h"

namespace dlperf::worker::cuda::emulation {
namespace {

bool isDevice(int device) {
    return device >= 0 && device < settings().devices;
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
    return call(__func__, [&](Lock&) {
        if (!isDevice(device)) {
            return cudaErrorInvalidDevice;
        }
        currentDevice = device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call(__func__, [&](Lock&) {
        if (!isDevice(device)) {
            return cudaErrorInvalidDevice;
        }
        *properties = cudaDeviceProp{};
        std::snprintf(properties->name, sizeof properties->name, "Emulated GPU");
        properties->uuid.bytes[0] = static_cast<char>(device + 1);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call(__func__, [&](Lock&) {
        if (!isDevice(device)) {
            return cudaErrorInvalidDevice;
        }
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
