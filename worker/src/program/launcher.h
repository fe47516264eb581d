// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/options.h"
#include "base/world.h"
#include "comm/socket.h"

namespace dlperf::worker {

// What a started process does; its result is its exit code.
using DeviceMain = std::function<int(const World& world, const Options& options, FileDescriptor listener)>;

// Starts one process a device of this node, by fork, and waits for them. SIGTERM, SIGINT and SIGHUP are
// handed on. The first process that fails ends the others, with a message that says which it was and how.
// Processes die with their parent. Returns the exit code: the first failure's, or 128 + signal. In a started
// process it returns what `deviceMain` did. With several nodes MASTER_ADDR must be in the environment.
// Throws Failure.
//
// To be called before any thread is started.
int launch(const Options& options, const DeviceMain& deviceMain);

}  // namespace dlperf::worker
