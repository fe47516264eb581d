// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dlperf::worker {

// "dlperf-worker 0.1.0"
std::string programVersion();

// The program and its CUDA plug-in share C++ classes, so they must be of the same sources: a version, and a
// sum over the headers that both read.
std::string pluginVersion();

}  // namespace dlperf::worker
