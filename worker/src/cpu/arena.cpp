// SPDX-License-Identifier: Apache-2.0
#include "cpu/arena.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace dlperf::worker::cpu {

void Arena::Free::operator()(std::byte* block) const {
    std::free(block);
}

void Arena::allocate() {
    constexpr std::size_t hugePage = 2U << 20;
    const std::size_t size = (bytes_ + hugePage - 1) / hugePage * hugePage;
    auto* block = static_cast<std::byte*>(std::aligned_alloc(hugePage, size));
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    block_.reset(block);
    // Only a hint: without huge pages it is slower, not wrong.
    madvise(block, size, MADV_HUGEPAGE);
    std::memset(block, 0, size);
}

}  // namespace dlperf::worker::cpu
