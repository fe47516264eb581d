// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "base/world.h"
#include "comm/tcp_store.h"

namespace dlperf::worker {

inline Deadline in(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
}
constexpr std::chrono::milliseconds longWait{60000};

inline World worldOf(int rank, int size, std::uint16_t port = 0) {
    World world;
    world.rank = rank;
    world.size = size;
    world.masterPort = port;
    return world;
}

// Rank 0's server in this process, on a free port.
struct HostedStore {
    explicit HostedStore(std::chrono::milliseconds silence = std::chrono::seconds(30),
                         int ranks = std::numeric_limits<int>::max())
        : server(std::make_unique<TcpStoreServer>(std::move(listener), silence, ranks)) {}

    TcpStoreClient client() const { return {"127.0.0.1", port, in(longWait)}; }

    FileDescriptor listener = listenAt("127.0.0.1", 0);
    std::uint16_t port = portOf(listener);
    std::unique_ptr<TcpStoreServer> server;
};

}  // namespace dlperf::worker
