// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/world.h"
#include "comm/comm.h"
#include "comm/tcp_store.h"

namespace dlperf::worker {

struct GlooSettings {
    std::string interface;  // network interface to use; empty: the one that leads to rank 0
    int timeoutSeconds = 120;
};

// Connects every process with every other over TCP, by way of the store. Throws Failure(Rendezvous).
std::unique_ptr<Comm> connectGloo(const World& world, const GlooSettings& settings, TcpStoreClient& store);

}  // namespace dlperf::worker
