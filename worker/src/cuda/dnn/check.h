// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cudnn_graph.h>

#include <string>

namespace dlperf::worker::cuda::dnn {

// What cuDNN said of the last thing that it refused on this thread: the status and its own explanation, in
// one line.
std::string reasonOf(cudnnStatus_t status);

// Throws Failure(Backend) with cuDNN's reason where it refused; `what` says what was tried: "make a handle".
void check(cudnnStatus_t status, const char* what);

}  // namespace dlperf::worker::cuda::dnn
