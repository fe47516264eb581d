// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <string>

namespace dlperf::worker::cuda::nccl {

// What NCCL said of a call that it refused or of an error in the background: the result's meaning and its
// own last error, in one line, and what to do about those that have one cause.
std::string reasonOf(ncclResult_t result);

// True where a call did what it should, or has begun to.
inline bool accepted(ncclResult_t result) {
    return result == ncclSuccess || result == ncclInProgress;
}

}  // namespace dlperf::worker::cuda::nccl
