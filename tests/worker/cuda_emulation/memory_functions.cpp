// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for memory.
#include <cstring>

#include "allocations.h"
#include "capture.h"
#include "queue.h"
#include "streams.h"

namespace dlperf::worker::cuda::emulation {
namespace {

cudaError_t allocateFor(const char* function, Place place, void** data, std::size_t bytes) {
    return call(function, [&](Lock&) {
        const cudaError_t result = checkNoCapture();
        if (result != cudaSuccess) {
            return result;
        }
        *data = bytes == 0 ? nullptr : allocate(place, bytes);
        return *data == nullptr && bytes > 0 ? cudaErrorMemoryAllocation : cudaSuccess;
    });
}

// CUDA too waits for all of the device's work before it frees something.
cudaError_t freeFor(const char* function, Place place, void* data) {
    return call(function, [&](Lock& lock) {
        if (data == nullptr) {
            return cudaSuccess;
        }
        const cudaError_t result = checkNoCapture();
        if (result != cudaSuccess) {
            return result;
        }
        demandDevice(lock, deviceOf(data));
        release(place, data);
        return cudaSuccess;
    });
}

bool mayCopy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return accessible(Place::Device, to, bytes) && accessible(Place::Host, from, bytes);
        case cudaMemcpyDeviceToHost:
            return accessible(Place::Host, to, bytes) && accessible(Place::Device, from, bytes);
        case cudaMemcpyDeviceToDevice:
            return accessible(Place::Device, to, bytes) && accessible(Place::Device, from, bytes);
        default:
            return false;
    }
}

}  // namespace
}  // namespace dlperf::worker::cuda::emulation

using namespace dlperf::worker::cuda::emulation;

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
    return allocateFor(__func__, Place::Device, data, bytes);
}

cudaError_t cudaFree(void* data) {
    return freeFor(__func__, Place::Device, data);
}

cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
    return allocateFor(__func__, Place::Host, data, bytes);
}

cudaError_t cudaFreeHost(void* data) {
    return freeFor(__func__, Place::Host, data);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return call(__func__, [&](Lock& lock) {
        if (!mayCopy(to, from, bytes, kind)) {
            return cudaErrorInvalidValue;
        }
        return submit(lock, stream, [=] {
            if (bytes > 0) {
                std::memcpy(to, from, bytes);
            }
        });
    });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return call(__func__, [&](Lock& lock) {
        if (!accessible(Place::Device, to, bytes)) {
            return cudaErrorInvalidValue;
        }
        return submit(lock, stream, [=] {
            if (bytes > 0) {
                std::memset(to, value, bytes);
            }
        });
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call(__func__, [&](Lock&) {
        *free = freeBytes(currentDevice);
        *total = settings().memory;
        return cudaSuccess;
    });
}
