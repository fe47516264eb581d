// SPDX-License-Identifier: Apache-2.0
#include "fake_nccl/fake_nccl.h"

#include <cuda_runtime_api.h>

#include <memory>

namespace dlperf::worker::test {
namespace {

std::unique_ptr<FakeNccl> fake;

// Notes calls on a communicator that overlap, or that come after its end.
class Call {
public:
    Call() {
        if (fake->busy.exchange(true) || !fake->alive) {
            ++fake->misuses;
        }
    }
    ~Call() { fake->busy = false; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
};

ncclResult_t endBy(std::atomic<int>& count) {
    const Call call;
    ++count;
    fake->alive = false;
    return ncclSuccess;
}

}  // namespace

FakeNccl& renewFakeNccl() {
    fake = std::make_unique<FakeNccl>();
    return *fake;
}

}  // namespace dlperf::worker::test

using dlperf::worker::test::Call;
using dlperf::worker::test::endBy;
using dlperf::worker::test::fake;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
    *version = 22809;
    return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId*) {
    return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int, ncclUniqueId, int, ncclConfig_t* config) {
    if (config->blocking != 0) {
        ++fake->misuses;
    }
    *comm = reinterpret_cast<ncclComm_t>(fake.get());
    fake->alive = true;
    return ncclInProgress;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* state) {
    const Call call;
    const int left = fake->polls;
    if (left > 0) {
        fake->polls = left - 1;
    }
    *state = left == 0 ? fake->result.load() : ncclInProgress;
    return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
    ++fake->groups;
    return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
    --fake->groups;
    return ncclInProgress;
}
ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t, cudaStream_t) {
    const Call call;
    fake->reductions.push_back({to, count, type, from == to && operation == ncclAvg && fake->groups == 1});
    return fake->reductionResult;
}
ncclResult_t ncclCommFinalize(ncclComm_t) {
    const Call call;
    ++fake->finalized;
    return ncclInProgress;
}
ncclResult_t ncclCommDestroy(ncclComm_t) {
    return endBy(fake->destroyed);
}
ncclResult_t ncclCommAbort(ncclComm_t) {
    return endBy(fake->aborted);
}
const char* ncclGetErrorString(ncclResult_t) {
    return "a kind of error";
}
const char* ncclGetLastError(ncclComm_t) {
    return fake->lastError.c_str();
}

cudaError_t cudaFree(void*) {
    return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
    return "";
}
cudaError_t cudaGetLastError() {
    return cudaSuccess;
}

}  // extern "C"
