// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "comm/socket.h"

namespace dlperf::worker::cuda::nccl {

// What NCCL said of a call that it refused or of an error in the background: the result's meaning and its own
// last error, in one line, and what to do about those that have one cause.
std::string reasonOf(ncclResult_t result);

// True where a call did what it should, or has begun to.
inline bool accepted(ncclResult_t result) {
    return result == ncclSuccess || result == ncclInProgress;
}

// Owns a communicator of NCCL that never blocks: what a call began is waited for by settle(). NCCL's calls on
// one communicator must not overlap, so each is made under a lock, which is never held while waiting.
class Communicator {
public:
    // Begins to connect the current GPU as `rank` of `size`; settle() waits for it.
    Communicator(int rank, int size, const ncclUniqueId& id);
    // Leaves in peace where all went well, so that peers do not see an error, and aborts where it did not.
    ~Communicator();

    // What NCCL answered to the beginning.
    ncclResult_t begun() const { return begun_; }

    // Calls NCCL; ncclInvalidUsage where the communicator was aborted.
    ncclResult_t call(const std::function<ncclResult_t(ncclComm_t)>& function);

    // Asks until nothing is under way; ncclInProgress where the deadline passes or `giveUp` says so first.
    ncclResult_t settle(Deadline deadline, std::chrono::microseconds pause,
                        const std::function<bool()>& giveUp = {});

    // Nothing while another thread is within a call: that one must not wait for NCCL.
    std::optional<ncclResult_t> state();

    bool aborted() const;
    void abort();

private:
    // The communicator, which is the caller's to end from then on; null where it was taken before.
    ncclComm_t take();
    bool leave();

    mutable std::mutex mutex_;
    ncclComm_t comm_ = nullptr;  // null once it was taken
    ncclResult_t begun_ = ncclSuccess;
};

}  // namespace dlperf::worker::cuda::nccl
