// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <atomic>
#include <string>
#include <vector>

namespace dlperf::worker::test {

// NCCL and the one call of CUDA that connecting makes, as the tests want them to behave: what is linked in
// their place. One communicator at a time.
struct FakeNccl {
    struct Reduction {
        const void* data;
        std::size_t count;
        ncclDataType_t type;
        bool inPlaceAverage;
    };

    // What it is to do.
    std::atomic<int> polls{0};  // answers "in progress" so often, then the result; negative: for ever
    std::atomic<ncclResult_t> result{ncclSuccess};
    std::atomic<ncclResult_t> reductionResult{ncclSuccess};
    std::string lastError;

    // What was done with it.
    std::atomic<int> groups{0};  // begun and not ended
    std::atomic<int> finalized{0};
    std::atomic<int> destroyed{0};
    std::atomic<int> aborted{0};
    std::atomic<int> misuses{0};  // calls that overlapped or came after the end
    std::vector<Reduction> reductions;

    std::atomic<bool> busy{false};
    std::atomic<bool> alive{false};
};

// A new one, which the functions of NCCL use from then on.
FakeNccl& renewFakeNccl();

}  // namespace dlperf::worker::test
