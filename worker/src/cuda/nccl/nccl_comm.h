// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/world.h"
#include "comm/tcp_store.h"
#include "cuda/runtime/device_comm.h"

namespace dlperf::worker::cuda {

// Says which other process was lost, if one was.
using PeerLoss = std::function<std::optional<std::string>()>;

// Connects this process's current GPU with those of all other processes, by way of the store; `lost`, if
// given, ends the waiting early. Throws Failure(Rendezvous), or Failure(Backend) where there is no GPU.
//
// NCCL's abort waits until no CUDA graph is left that average() was captured into. So such graphs are
// destroyed before the communicator, and also before whatever joins a thread that calls abort().
std::unique_ptr<DeviceComm> connectNccl(const World& world, TcpStoreClient& store, int timeoutSeconds,
                                        const PeerLoss& lost = {});

}  // namespace dlperf::worker::cuda
