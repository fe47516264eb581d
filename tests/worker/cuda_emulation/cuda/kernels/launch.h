// SPDX-License-Identifier: Apache-2.0
#pragma once

// In place of the worker's launch.h where kernels run on the host.

#include <cstddef>

#include "cuda/runtime/check.h"
#include "emulation.h"
#include "runtime.h"

namespace dlperf::worker::cuda {

template <typename... Parameters, typename... Arguments>
void launch(const char* what, cudaStream_t stream, std::size_t blocks, std::size_t threads,
            void (*kernel)(Parameters...), Arguments... arguments) {
    emulation::countLaunch(what);
    emulation::enqueue(stream, [=] {
        emulation::run(blocks, threads, [&](unsigned begin, unsigned end) {
            for (unsigned x = begin; x < end; ++x) {
                emulation::thread.x = x;
                kernel(arguments...);
            }
        });
    });
    checkLaunch(what);
}

}  // namespace dlperf::worker::cuda
