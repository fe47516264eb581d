// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/options.h"
#include "base/world.h"
#include "comm/heartbeat.h"
#include "comm/socket.h"
#include "comm/tcp_store.h"
#include "data/source.h"

namespace dlperf::worker {

// Connects the processes of a world through a store on rank 0 and watches their heartbeats. In a world of one
// it does nothing.
class Rendezvous {
public:
    // Waits for all ranks; their options must give the same training. `listener`: the launcher's socket, or
    // empty. Throws Failure(Rendezvous).
    Rendezvous(const World& world, const Options& options, FileDescriptor listener);

    // Waits until all have their backends, however long they search for the fastest plans. Gradients are
    // reduced as they lie in memory, so the layouts must be equal; each rank takes its share of the same
    // images. Throws Failure(Rendezvous), or Failure(Communication) where a rank is lost meanwhile.
    void compare(const World& world, const std::string& layout, const std::string& device,
                 const ImageList& images = {});
    // True where two ranks have the same device; after compare().
    bool shareDevices() const { return shareDevices_; }

    // Not in a world of one.
    TcpStoreClient& store() { return *store_; }

    // What each rank says, by rank, of rank 0; of the others nothing. Nothing either where one does not say
    // it within five seconds: who asks can do without.
    std::vector<std::string> collect(const World& world, const std::string& topic, const std::string& mine);

    // Which other rank was lost first and how, in one sentence.
    std::optional<std::string> lost() const;
    // Runs what the ranks do together, then leaves. What it throws is told to the others; the loss behind a
    // failure of communication, if one is reported soon, is thrown in its place.
    void together(const std::function<void()>& body);
    void fail(const std::string& reason);
    void leave();

private:
    Failure causeOf(const Failure& failure) const;
    std::string factsOfRank(int rank, Deadline deadline);

    std::unique_ptr<TcpStoreServer> server_;
    std::unique_ptr<Heartbeat> heartbeat_;
    std::unique_ptr<TcpStoreClient> store_;
    bool shareDevices_ = false;
};

}  // namespace dlperf::worker
