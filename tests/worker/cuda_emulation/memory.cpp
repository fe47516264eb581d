// SPDX-License-Identifier: Apache-2.0
// CUDA's functions for memory, and what is allocated.
#include <malloc.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>

#include "base/numbers.h"
#include "capture.h"
#include "streams.h"

namespace dlperf::worker::cuda::emulation {
namespace {

// CUDA's alignment, and as much around each allocation, in which nobody may write.
constexpr std::size_t alignment = 256;
constexpr int guard = 0xA5;

enum class Place { Host, Device };

struct Allocation {
    Place place = Place::Device;
    int device = 0;
    std::size_t bytes = 0;
};
using Allocations = std::map<const std::byte*, Allocation>;

Allocations& allocations() {
    static Allocations all;
    return all;
}

std::size_t usedBytes(int device) {
    std::size_t sum = 0;
    for (const auto& [data, allocation] : allocations()) {
        if (allocation.place == Place::Device && allocation.device == device) {
            sum += allocation.bytes;
        }
    }
    return sum;
}

// The allocation in which the address lies, or end().
Allocations::const_iterator containing(const void* data) {
    const auto* const address = static_cast<const std::byte*>(data);
    const auto after = allocations().upper_bound(address);
    if (after == allocations().begin()) {
        return allocations().end();
    }
    const auto found = std::prev(after);
    return address < found->first + found->second.bytes ? found : allocations().end();
}

bool fits(Allocations::const_iterator allocation, const void* data, std::size_t bytes) {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(data) - allocation->first);
    return bytes <= allocation->second.bytes - offset;
}

void checkGuards(const std::byte* data, std::size_t bytes) {
    const auto intact = [](std::byte x) { return x == std::byte{guard}; };
    if (!std::all_of(data - alignment, data, intact)) {
        giveUp("something was written before an allocation");
    }
    if (!std::all_of(data + bytes, data + roundedUp(bytes, alignment) + alignment, intact)) {
        giveUp("something was written behind an allocation");
    }
}

std::size_t freeBytes(int device) {
    return settings().memory - std::min(settings().memory, usedBytes(device));
}

// Memory of the current device, or pinned. Every byte is 0xFF: not a number as float, half or bfloat16, so
// that what is read before it is written shows. Null where a device has too little.
void* allocate(Place place, std::size_t bytes) {
    // Networks come and go: memory that is kept for the next one need not be cleared by the system again.
    // A sanitizer's allocator refuses, which is only slower.
    [[maybe_unused]] static const bool kept =
        mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, INT_MAX) == 1;
    if (place == Place::Device && bytes > freeBytes(currentDevice)) {
        return nullptr;
    }
    const std::size_t all = roundedUp(bytes, alignment) + 2 * alignment;
    auto* const start = static_cast<std::byte*>(std::aligned_alloc(alignment, all));
    if (start == nullptr) {
        return nullptr;
    }
    std::memset(start, guard, all);
    std::byte* const data = start + alignment;
    std::memset(data, 0xFF, bytes);
    allocations()[data] = {place, currentDevice, bytes};
    return data;
}

// Ends the program where the pointer is none of allocate()'s, or something was written around its memory.
void release(Place place, void* data) {
    const auto found = allocations().find(static_cast<const std::byte*>(data));
    if (found == allocations().end() || found->second.place != place) {
        giveUp("memory is freed that is not allocated, or not by this function's counterpart");
    }
    checkGuards(found->first, found->second.bytes);
    allocations().erase(found);
    std::free(static_cast<std::byte*>(data) - alignment);
}

// The device whose memory this is, or whose it was when pinned memory was made.
int deviceOf(void* data) {
    const auto found = containing(data);
    return found == allocations().end() ? currentDevice : found->second.device;
}

// Whether a copy may read or write these bytes, by what CUDA knows of them: device memory must be its own,
// the host's must not be, and neither may end too early.
bool accessible(Place place, const void* data, std::size_t bytes) {
    if (bytes == 0) {
        return true;
    }
    const auto found = containing(data);
    if (found == allocations().end()) {
        return place == Place::Host && data != nullptr;
    }
    return found->second.place == place && fits(found, data, bytes);
}

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

void count(Live& live) {
    for (const auto& [data, allocation] : allocations()) {
        if (allocation.place == Place::Host) {
            ++live.hostAllocations;
        } else {
            ++live.deviceAllocations;
            live.deviceBytes += allocation.bytes;
        }
    }
}

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
