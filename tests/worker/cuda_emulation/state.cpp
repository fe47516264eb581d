// SPDX-License-Identifier: Apache-2.0
#include "state.h"

#include <cstdio>
#include <cstdlib>

namespace dlperf::worker::cuda::emulation {

std::mutex& mutex() {
    static std::mutex all;
    return all;
}

Settings& settings() {
    static Settings all;
    return all;
}

cudaError_t injectedError(const char* function) {
    const auto found = settings().errors.find(function);
    if (found == settings().errors.end() || found->second.callsBefore-- > 0) {
        return cudaSuccess;
    }
    const cudaError_t error = found->second.error;
    settings().errors.erase(found);
    return error;
}

void giveUp(const char* why) {
    std::fprintf(stderr, "emulated CUDA: %s\n", why);
    std::abort();
}

}  // namespace dlperf::worker::cuda::emulation
