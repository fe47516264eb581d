// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/options.h"
#include "base/world.h"
#include "comm/comm.h"
#include "comm/rendezvous.h"

namespace dlperf::worker {

// Connects the processes of a world that have met, to reduce on the host. Throws Failure.
std::unique_ptr<Comm> connectComm(const World& world, const Options& options, Rendezvous& rendezvous);

}  // namespace dlperf::worker
