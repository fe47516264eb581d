// SPDX-License-Identifier: Apache-2.0
#include "cuda/nccl/check.h"

#include <algorithm>

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

}  // namespace dlperf::worker::cuda::nccl
