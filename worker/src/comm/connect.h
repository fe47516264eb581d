// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend.h"
#include "comm/comm.h"
#include "comm/socket.h"
#include "options.h"
#include "world.h"

namespace dlperf::worker {

/// Meets the other processes of the world. They must have been started with options that give the same
/// training and, as gradients are reduced as they lie in memory, the backend must lay them out alike. Throws
/// Failure.
std::unique_ptr<Comm> connectWorld(const World& world, const Options& options, const Backend& backend,
                                   FileDescriptor listener);

}  // namespace dlperf::worker
