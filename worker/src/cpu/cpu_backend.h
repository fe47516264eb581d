// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/backend.h"

namespace dlperf::worker::cpu {

// Throws Failure(Backend) of what no CPU has.
void checkPrecision(Precision precision);

// The bytes that the control group mounted at `root` (of version 1 or 2) has left, all where it has no limit.
// At /sys/fs/cgroup that is a container's own group.
std::size_t memoryOfGroup(const std::string& root);

// oneDNN and our own loops on `problem.threads` threads of this machine.
std::unique_ptr<Backend> makeCpuBackend(const Problem& problem);

}  // namespace dlperf::worker::cpu
