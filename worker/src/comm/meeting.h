// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend.h"
#include "comm/socket.h"
#include "comm/tcp_store.h"
#include "options.h"
#include "world.h"

namespace dlperf::worker {

/// The processes of a world, met at a store that rank 0 keeps for as long as this lives. In a world of one
/// there is nothing to meet.
class Meeting {
public:
    /// Waits for all. They must have been started with options that give the same training and, as gradients
    /// are reduced as they lie in memory, their backends must lay them out alike. `listener` is the socket of
    /// the rendezvous where the launcher has opened it already, else empty. Throws Failure(Rendezvous).
    Meeting(const World& world, const Options& options, const Backend& backend, FileDescriptor listener);

    /// Not in a world of one.
    TcpStoreClient& store() { return *store_; }

private:
    std::unique_ptr<TcpStoreServer> server_;
    std::unique_ptr<TcpStoreClient> store_;
};

}  // namespace dlperf::worker
