// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.h"

namespace dlperf::worker::cpu {

// Throws Failure(Backend) of what no CPU has.
void checkPrecision(Precision precision);

// oneDNN and our own loops on `problem.threads` threads of this machine.
std::unique_ptr<Backend> makeCpuBackend(const Problem& problem);

}  // namespace dlperf::worker::cpu
