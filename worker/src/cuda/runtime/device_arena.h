// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// One piece of the device's memory for many tensors: first all are reserved, then it is allocated.
class DeviceArena {
public:
    static constexpr std::size_t alignment = 256;

    // Returns the tensor's offset in bytes.
    std::size_t reserve(std::size_t bytes) {
        const std::size_t offset = bytes_;
        bytes_ += (bytes + alignment - 1) / alignment * alignment;
        return offset;
    }
    template <typename T>
    std::size_t reserve(std::size_t count) {
        return reserve(count * sizeof(T));
    }

    std::size_t bytes() const { return bytes_; }
    void allocate() { memory_ = DeviceMemory(bytes_); }

    template <typename T>
    T* at(std::size_t offset) const {
        return memory_.at<T>(offset);
    }

private:
    DeviceMemory memory_;
    std::size_t bytes_ = 0;
};

}  // namespace dlperf::worker::cuda
