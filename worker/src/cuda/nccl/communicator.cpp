// SPDX-License-Identifier: Apache-2.0
#include "cuda/nccl/communicator.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>
#if NCCL_VERSION_CODE < NCCL_VERSION(2, 14, 0)
#error "NCCL 2.14 or later is needed: older ones can only block"
#endif

namespace dlperf::worker::cuda::nccl {
namespace {

std::string lastError() {
    const char* const error = ncclGetLastError(nullptr);
    std::string text = error == nullptr ? "" : error;
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    return text;
}

}  // namespace

std::string reasonOf(ncclResult_t result) {
    std::string reason = ncclGetErrorString(result);
    const std::string detail = lastError();
    if (!detail.empty()) {
        reason += ": " + detail;
    }
    if (detail.find("Duplicate GPU") != std::string::npos) {
        reason += "; NCCL wants a GPU of its own for each process, so start no more of them than there are";
    }
    return reason;
}
namespace {

using std::chrono::steady_clock;
constexpr std::chrono::seconds leaveTimeout{5};

}  // namespace

Communicator::Communicator(int rank, int size, const ncclUniqueId& id) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    begun_ = ncclCommInitRankConfig(&comm_, size, id, rank, &config);
}

Communicator::~Communicator() {
    // While an exception ends the training here, peers may be inside of what this process will not join.
    if (std::uncaught_exceptions() == 0 && leave()) {
        return;
    }
    abort();
}

bool Communicator::leave() {
    if (state() != ncclSuccess || !accepted(call(ncclCommFinalize))) {
        return false;
    }
    if (settle(steady_clock::now() + leaveTimeout, std::chrono::milliseconds(1)) != ncclSuccess) {
        return false;
    }
    return accepted(ncclCommDestroy(take()));
}

ncclResult_t Communicator::call(const std::function<ncclResult_t(ncclComm_t)>& function) {
    const std::lock_guard lock(mutex_);
    return comm_ == nullptr ? ncclInvalidUsage : function(comm_);
}

ncclResult_t Communicator::settle(Deadline deadline, std::chrono::microseconds pause,
                                  const std::function<bool()>& giveUp) {
    while (true) {
        ncclResult_t state = ncclSuccess;
        const ncclResult_t asked = call([&](ncclComm_t comm) { return ncclCommGetAsyncError(comm, &state); });
        if (asked != ncclSuccess) {
            return asked;
        }
        if (state != ncclInProgress || steady_clock::now() >= deadline || (giveUp && giveUp())) {
            return state;
        }
        std::this_thread::sleep_for(pause);
    }
}

std::optional<ncclResult_t> Communicator::state() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || comm_ == nullptr) {
        return std::nullopt;
    }
    ncclResult_t state = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(comm_, &state);
    return asked == ncclSuccess ? state : asked;
}

bool Communicator::aborted() const {
    const std::lock_guard lock(mutex_);
    return comm_ == nullptr;
}

ncclComm_t Communicator::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(comm_, nullptr);
}

void Communicator::abort() {
    // Without the lock: NCCL tells the GPU to stop at once, but then waits for CUDA graphs to be destroyed,
    // which the thread that owns them does only after its own calls have failed.
    if (const ncclComm_t comm = take()) {
        ncclCommAbort(comm);
    }
}

}  // namespace dlperf::worker::cuda::nccl
