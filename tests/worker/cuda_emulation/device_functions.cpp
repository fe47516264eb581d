// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for devices, versions and errors.
#include <algorithm>
#include <array>
#include <cstdio>

#include "capture.h"
#include "queue.h"

namespace dlperf::worker::cuda::emulation {
namespace {

constexpr int multiprocessors = 4;
constexpr int computeMajor = 9;
constexpr int computeMinor = 0;

struct ErrorText {
    cudaError_t error;
    const char* name;
    const char* text;
};

// Those that this runtime gives by itself, and those that tests are likely to inject.
constexpr auto errorTexts = std::to_array<ErrorText>({
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "the driver is older than the runtime"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no device"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "there is no such device"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "no such stream, event or graph"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "not possible in this state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "not yet done"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "illegal address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "launch failure"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "not while a stream is captured"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "an earlier error ended the capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge", "two captures would become one"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
     "the capture began in another stream"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "a captured stream was not joined"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "a wait for work outside the capture"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit", "the null stream would be captured"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent", "the event was recorded in a capture"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "another thread began the capture"},
});

const ErrorText& textOf(cudaError_t error) {
    static constexpr ErrorText other{cudaErrorUnknown, "an error",
                                     "an error that the emulation has no text for"};
    const auto* const found = std::find_if(errorTexts.begin(), errorTexts.end(),
                                           [&](const ErrorText& text) { return text.error == error; });
    return found == errorTexts.end() ? other : *found;
}

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
        properties->totalGlobalMem = settings().memory;
        properties->multiProcessorCount = multiprocessors;
        properties->major = computeMajor;
        properties->minor = computeMinor;
        properties->pciBusID = device;
        properties->uuid.bytes[0] = static_cast<char>(device + 1);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call(__func__, [&](Lock&) {
        if (!isDevice(device)) {
            return cudaErrorInvalidDevice;
        }
        switch (attribute) {
            case cudaDevAttrMultiProcessorCount:
                *value = multiprocessors;
                return cudaSuccess;
            case cudaDevAttrComputeCapabilityMajor:
                *value = computeMajor;
                return cudaSuccess;
            case cudaDevAttrComputeCapabilityMinor:
                *value = computeMinor;
                return cudaSuccess;
            case cudaDevAttrL2CacheSize:
                *value = static_cast<int>(deviceCache);
                return cudaSuccess;
            default:
                return cudaErrorInvalidValue;
        }
    });
}

cudaError_t cudaDeviceSynchronize() {
    return call(__func__, [&](Lock& lock) {
        const cudaError_t result = checkNoCapture();
        if (result == cudaSuccess) {
            demandDevice(lock, currentDevice);
        }
        return result;
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    const Lock lock(mutex());
    *version = CUDART_VERSION;
    return injectedError(__func__);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    const Lock lock(mutex());
    *version = CUDART_VERSION;
    return injectedError(__func__);
}

cudaError_t cudaGetLastError() {
    return std::exchange(lastError, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    return lastError;
}

const char* cudaGetErrorString(cudaError_t error) {
    return textOf(error).text;
}

const char* cudaGetErrorName(cudaError_t error) {
    return textOf(error).name;
}
