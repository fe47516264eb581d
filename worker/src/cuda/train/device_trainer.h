// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "backend/backend.h"
#include "cuda/decode/jpeg_decoder.h"
#include "cuda/net/network.h"
#include "cuda/net/training_state.h"
#include "cuda/runtime/device_comm.h"
#include "cuda/runtime/memory.h"

namespace dlperf::worker::cuda {

// A place for a batch in the device's memory, and the way there: through pinned memory, as the device copies
// from no other by itself.
class BatchSlot {
public:
    // `decoder`, which outlives this, is for batches with encoded images; null: there are none.
    explicit BatchSlot(const Problem& problem, JpegDecoder* decoder = nullptr);

    // Begins to copy in `copies`, behind which `user` then waits; the batch may be overwritten when this
    // returns. Nothing that uses the slot may be under way. A batch that is here already is not copied again.
    void upload(const Batch& batch, const Stream& copies, const Stream& user);

    DeviceBatch batch() const;

private:
    void copy(std::size_t first, const Stream& copies) const;

    JpegDecoder* decoder_;
    std::size_t pixelBytes_;
    std::size_t labelBytes_;
    std::size_t images_;
    PinnedMemory pinned_;
    DeviceMemory device_;
    Event copied_;
    std::optional<std::uint64_t> number_;  // of the batch that is here
};

// Steps that stay on the device, each one graph. The host starts the next one while the last is computed, and
// reads what came of it when it is done; nothing else waits. `comm` is null in a world of one, `decoder`
// where the host decodes. It and the state outlive the trainer. Throws Failure.
template <typename T>
std::unique_ptr<Trainer> makeDeviceTrainer(TrainingState<T>& state, const Problem& problem,
                                           const TrainerSetup& setup, std::unique_ptr<DeviceComm> comm,
                                           JpegDecoder* decoder);

}  // namespace dlperf::worker::cuda
