// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/failure.h"
#include "base/options.h"
#include "base/world.h"
#include "comm/heartbeat.h"
#include "comm/socket.h"
#include "comm/tcp_store.h"

namespace dlperf::worker {

// The processes of a world, met at a store that rank 0 keeps for as long as this lives. From then on each
// knows which other was lost. In a world of one there is nothing to meet, and nobody to lose.
class Rendezvous {
public:
    // Waits for all, which must have been started with options that give the same training. `listener` is
    // the socket of the rendezvous where the launcher has opened it already, else empty. Throws
    // Failure(Rendezvous).
    Rendezvous(const World& world, const Options& options, FileDescriptor listener);

    // Waits until all have their backends, for as long as it takes, but that none is lost: one may have to
    // find the fastest way to compute. As gradients are reduced as they lie in memory, they must lie alike.
    // `layout` names it, `device` the one that this rank computes on. Throws Failure(Rendezvous), or
    // Failure(Communication) where a rank is lost meanwhile.
    void compare(const World& world, const std::string& layout, const std::string& device);
    // True where two ranks have the same device; after compare().
    bool shareDevices() const { return shareDevices_; }

    // Not in a world of one.
    TcpStoreClient& store() { return *store_; }

    // How far training is.
    void finished(std::int64_t steps);
    // Which other rank was lost first and how, in one sentence.
    std::optional<std::string> lost() const;
    // The same where a failure of communication may be the consequence of a loss that is told a little
    // later; else `failure` itself.
    Failure causeOf(const Failure& failure) const;
    // Tells the others why this rank ends. Destroyed with neither this nor leave(), it is lost to them.
    void fail(const std::string& reason);
    // Says goodbye after the last step.
    void leave();

private:
    std::string factsOfRank(int rank, Deadline deadline);

    std::unique_ptr<TcpStoreServer> server_;
    std::unique_ptr<Heartbeat> heartbeat_;
    std::unique_ptr<TcpStoreClient> store_;
    bool shareDevices_ = false;
};

}  // namespace dlperf::worker
