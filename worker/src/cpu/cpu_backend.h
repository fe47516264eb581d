// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "backend/backend.h"
#include "base/control_groups.h"

namespace dlperf::worker::cpu {

// Throws Failure(Backend) of what no CPU has.
void checkPrecision(Precision precision);

// The bytes that this process's control group and those around it leave; noLimit where they have no limit.
std::size_t memoryOfGroups(const CgroupFiles& files = {});

// oneDNN and our own loops on `problem.threads` threads of this machine.
std::unique_ptr<Backend> makeCpuBackend(const Problem& problem);

}  // namespace dlperf::worker::cpu
