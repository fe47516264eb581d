// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda {

// Puts a kernel into the stream; `what` says what it does: "start the pooling".
template <typename... Parameters, typename... Arguments>
void launch(const char* what, cudaStream_t stream, std::size_t blocks, std::size_t threads,
            void (*kernel)(Parameters...), Arguments... arguments) {
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream>>>(arguments...);
    checkLaunch(what);
}

}  // namespace dlperf::worker::cuda
