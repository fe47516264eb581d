// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dlperf::worker {

/// "dlperf-worker 0.1.0"
std::string programVersion();

/// The same, and one line for each library that this build has or has not.
std::string buildFacts();

}  // namespace dlperf::worker
