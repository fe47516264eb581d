// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace dlperf::worker::cpu {

// One zeroed block of memory that is cut into tensors, each on a cache line of its own and, where the system
// allows it, on huge pages. Sizes are reserved first, then the block is made, then the tensors are taken.
class Arena {
public:
    static constexpr std::size_t alignment = 64;

    // Returns the offset of `bytes` more, at a multiple of alignment.
    std::size_t reserve(std::size_t bytes) {
        const std::size_t offset = bytes_;
        bytes_ += (bytes + alignment - 1) / alignment * alignment;
        return offset;
    }
    std::size_t bytes() const { return bytes_; }

    // Throws std::bad_alloc.
    void allocate();

    template <typename T>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(block_.get() + offset);
    }

private:
    struct Free {
        void operator()(std::byte* block) const;
    };
    std::unique_ptr<std::byte, Free> block_;
    std::size_t bytes_ = 0;
};

}  // namespace dlperf::worker::cpu
