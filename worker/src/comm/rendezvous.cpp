// SPDX-License-Identifier: Apache-2.0
#include "comm/rendezvous.h"

#include <unistd.h>

#include <chrono>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "base/failure.h"
#include "base/version.h"
#include "comm/protocol.h"

namespace dlperf::worker {
namespace {

using namespace std::chrono_literals;

// From a connection's end until rank 0 has sent the reason.
constexpr auto causeTimeout = 1000ms;
constexpr auto pollPause = 50ms;
constexpr auto collectTimeout = 5s;

// More than any preparation takes.
constexpr auto preparationTimeout = 3h;

// What must be the same in all processes for their gradients to belong together.
std::string agreementOf(const Options& options, const World& world) {
    return programVersion() + ", world size " + std::to_string(world.size) +
           (options.measure == Measured::Links ? " --measure links" : "") + ", --backend " +
           toString(options.backend) + " --precision " + toString(options.precision) + " --batch-size " +
           std::to_string(options.batchSize) + " --image-size " + std::to_string(options.imageSize) +
           " --classes " + std::to_string(options.classes) + " --iterations " +
           std::to_string(options.iterations) + " --seed " + std::to_string(options.seed) + " --lr " +
           std::to_string(options.learningRate.value_or(-1)) + " --momentum " +
           std::to_string(options.momentum) + " --weight-decay " + std::to_string(options.weightDecay) +
           " --label-smoothing " + std::to_string(options.labelSmoothing) + " --bucket-mb " +
           std::to_string(options.bucketMb) + " --comm " + toString(options.comm) +
           (options.data.empty() ? ", synthetic data" : ", images of --data");
}

// Every process leaves its agreement in the store and reads all others'.
void checkIn(TcpStoreClient& store, const Heartbeat& heartbeat, const World& world,
             const std::string& agreement, int timeoutSeconds) {
    // Of other losses a rank that was started differently is mostly the cause, and tells more.
    const auto otherBuild = [&] {
        const auto lost = heartbeat.lost();
        return lost == protocol::otherBuild ? lost : std::nullopt;
    };
    const Deadline deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeoutSeconds);
    store.set("rank/" + std::to_string(world.rank), agreement, deadline);
    for (int rank = 0; rank < world.size; ++rank) {
        std::string theirs;
        try {
            theirs = store.get("rank/" + std::to_string(rank), deadline, otherBuild);
        } catch (const Failure& failure) {
            if (failure.code() == ExitCode::Communication) {
                throw Failure(ExitCode::Rendezvous, failure.what());
            }
            throw Failure(ExitCode::Rendezvous, "rank " + std::to_string(rank) + " of " +
                                                    std::to_string(world.size) + " did not come within " +
                                                    std::to_string(timeoutSeconds) +
                                                    " s (--comm-timeout): " + failure.what());
        }
        if (theirs == agreement) {
            continue;
        }
        std::string message = "rank " + std::to_string(rank);
        message.append(" was started differently: it has ").append(theirs);
        throw Failure(ExitCode::Rendezvous, message.append("; this process has ").append(agreement));
    }
}

std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "an unknown host";
}

// `theirs`: number, hash of the names, host.
std::string otherImages(int rank, const std::string& theirs, const ImageList& mine) {
    std::istringstream words(theirs);
    std::uint64_t count = 0;
    std::uint64_t names = 0;
    std::string host;
    words >> count >> names >> host;
    std::string message = "rank " + std::to_string(rank);
    message.append(", on ").append(host).append(", has ").append(std::to_string(count)).append(" images");
    if (count == mine.count) {
        message.append(", but of other names or classes than this process, on ").append(hostName());
    } else {
        message.append(" and this process, on ").append(hostName()).append(", has ");
        message.append(std::to_string(mine.count));
    }
    return message.append("; give all nodes the same images below --data");
}

}  // namespace

Rendezvous::Rendezvous(const World& world, const Options& options, FileDescriptor listener) {
    if (world.size == 1) {
        return;
    }
    const std::chrono::seconds timeout(options.commTimeout);
    if (world.rank == 0) {
        if (!listener) {
            listener = listenAt(world.masterAddress, world.masterPort);
        }
        server_ = std::make_unique<TcpStoreServer>(std::move(listener), timeout, world.size);
    }
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    heartbeat_ = std::make_unique<Heartbeat>(world, deadline, timeout);
    store_ = std::make_unique<TcpStoreClient>(world.masterAddress, world.masterPort, deadline);
    checkIn(*store_, *heartbeat_, world, agreementOf(options, world), options.commTimeout);
}

std::string Rendezvous::factsOfRank(int rank, Deadline deadline) {
    try {
        return store_->get("backend/" + std::to_string(rank), deadline, [this] { return lost(); });
    } catch (const Failure& failure) {
        // The rendezvous is complete, so only a loss ends the waiting.
        std::string message = "rank " + std::to_string(rank) + " is not ready to train: ";
        throw causeOf(Failure(ExitCode::Communication, message.append(failure.what())));
    }
}

void Rendezvous::compare(const World& world, const std::string& layout, const std::string& device,
                         const ImageList& images) {
    if (world.size == 1) {
        return;
    }
    const Deadline deadline = std::chrono::steady_clock::now() + preparationTimeout;
    const std::string mine = std::to_string(images.count) + " " + std::to_string(images.names);
    store_->set("backend/" + std::to_string(world.rank),
                layout + "\n" + mine + " " + hostName() + "\n" + device, deadline);
    std::set<std::string> devices;
    for (int rank = 0; rank < world.size; ++rank) {
        std::istringstream theirs(factsOfRank(rank, deadline));
        std::string theirLayout;
        std::string theirImages;
        std::string theirDevice;
        std::getline(theirs, theirLayout);
        std::getline(theirs, theirImages);
        std::getline(theirs, theirDevice);
        if (theirLayout != layout) {
            throw Failure(ExitCode::Rendezvous,
                          "rank " + std::to_string(rank) +
                              " keeps weights in another layout than this process, as its CPU or GPU or the "
                              "libraries for it are of another kind; use nodes of one kind");
        }
        if (!theirImages.starts_with(mine + " ")) {
            throw Failure(ExitCode::Rendezvous, otherImages(rank, theirImages, images));
        }
        shareDevices_ = !devices.insert(theirDevice).second || shareDevices_;
    }
}

std::vector<std::string> Rendezvous::collect(const World& world, const std::string& topic,
                                             const std::string& mine) {
    if (world.size == 1) {
        return {mine};
    }
    const Deadline deadline = std::chrono::steady_clock::now() + collectTimeout;
    const auto keyOf = [prefix = topic + "/"](int rank) { return prefix + std::to_string(rank); };
    std::vector<std::string> all;
    try {
        store_->set(keyOf(world.rank), mine, deadline);
        for (int rank = 0; world.rank == 0 && rank < world.size; ++rank) {
            all.push_back(store_->get(keyOf(rank), deadline));
        }
    } catch (const Failure&) {
        all.clear();
    }
    return all;
}

std::optional<std::string> Rendezvous::lost() const {
    return heartbeat_ ? heartbeat_->lost() : std::nullopt;
}

void Rendezvous::together(const std::function<void()>& body) {
    try {
        body();
    } catch (const Failure& failure) {
        const Failure cause = causeOf(failure);
        fail(cause.what());
        throw cause;
    } catch (const std::exception& error) {  // a defect: the others are told all the same
        fail(error.what());
        throw;
    }
    leave();
}

Failure Rendezvous::causeOf(const Failure& failure) const {
    if (failure.code() != ExitCode::Communication) {
        return failure;
    }
    for (auto waited = 0ms; heartbeat_ && waited < causeTimeout; waited += pollPause) {
        if (const auto cause = heartbeat_->lost()) {
            return {failure.code(), *cause};
        }
        std::this_thread::sleep_for(pollPause);
    }
    return failure;
}

void Rendezvous::fail(const std::string& reason) {
    if (heartbeat_) {
        heartbeat_->fail(reason);
    }
}

void Rendezvous::leave() {
    if (heartbeat_) {
        heartbeat_->leave();
    }
}

}  // namespace dlperf::worker
