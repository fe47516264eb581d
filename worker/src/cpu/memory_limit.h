// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace dlperf::worker::cpu {

// Throws Failure(Memory) where `bytes` for each of `devicesOnNode` processes are more than the machine, its
// control group (versions 1 and 2) or this process's resource limits leave. Linux hands out memory that it
// does not have, so this is asked before allocating.
void requireMemory(std::size_t bytes, int devicesOnNode);

}  // namespace dlperf::worker::cpu
