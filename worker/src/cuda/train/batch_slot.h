// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "backend/backend.h"
#include "cuda/net/network.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// A place for a batch in the device's memory, and the way there: through pinned memory, as the device copies
// from no other by itself.
class BatchSlot {
public:
    explicit BatchSlot(const Problem& problem);

    // Begins to copy in `copies`, behind which `user` then waits; the batch may be overwritten when this
    // returns. Nothing that uses the slot may be under way. A batch that is here already is not copied
    // again.
    void upload(const Batch& batch, const Stream& copies, const Stream& user);

    DeviceBatch batch() const;

private:
    std::size_t pixelBytes_;
    std::size_t labelBytes_;
    std::size_t images_;
    PinnedMemory pinned_;
    DeviceMemory device_;
    Event copied_;
    std::optional<std::uint64_t> number_;  // of the batch that is here
};

}  // namespace dlperf::worker::cuda
