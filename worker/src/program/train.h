// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/options.h"
#include "base/world.h"
#include "comm/socket.h"

namespace dlperf::worker {

// Trains as one rank of the world, and logs to standard output if it is rank 0. `listener` is the socket of
// the rendezvous where the launcher has opened it already, else empty. Throws Failure.
void train(const Options& options, const World& world, FileDescriptor listener);

}  // namespace dlperf::worker
