// SPDX-License-Identifier: Apache-2.0
#pragma once

// In place of the worker's launch.h where kernels run on the host.

#include <cstddef>

#include "emulation.h"

namespace dlperf::worker::cuda {

template <typename... Parameters, typename... Arguments>
void launch(const char*, cudaStream_t, std::size_t blocks, std::size_t threads, void (*kernel)(Parameters...),
            Arguments... arguments) {
    emulation::run(blocks, threads, [&] { kernel(arguments...); });
}

constexpr std::size_t blocksFor(std::size_t count, std::size_t threads) {
    return count == 0 ? 1 : (count + threads - 1) / threads;
}

}  // namespace dlperf::worker::cuda
