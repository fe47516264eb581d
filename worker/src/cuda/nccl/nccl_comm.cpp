// SPDX-License-Identifier: Apache-2.0
#include "cuda/nccl/nccl_comm.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/failure.h"
#include "cuda/nccl/communicator.h"
#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda {
namespace {

using nccl::accepted;
using nccl::Communicator;
using nccl::reasonOf;
using std::chrono::steady_clock;

constexpr const char* idKey = "nccl/id";

std::string rankKey(int rank) {
    return "nccl/rank/" + std::to_string(rank);
}

std::string versionText() {
    int version = 0;
    ncclGetVersion(&version);
    return "nccl " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

std::string within(int timeoutSeconds) {
    return " within " + std::to_string(timeoutSeconds) + " s (--comm-timeout)";
}

ncclDataType_t typeOf(NumberType type) {
    switch (type) {
        case NumberType::Half:
            return ncclFloat16;
        case NumberType::Bfloat16:
            return ncclBfloat16;
        case NumberType::Float:
            break;
    }
    return ncclFloat32;
}

class NcclComm final : public DeviceComm {
public:
    NcclComm(const World& world, const ncclUniqueId& id, int timeoutSeconds)
        : communicator_(world.rank, world.size, id), timeoutSeconds_(timeoutSeconds) {}

    Communicator& communicator() { return communicator_; }

    std::string name() const override { return versionText(); }

    void average(cudaStream_t stream, std::span<const Piece> pieces) override {
        const ncclResult_t begun =
            communicator_.call([&](ncclComm_t comm) { return begin(comm, stream, pieces); });
        if (!accepted(begun)) {
            fail(begun);
        }
        // NCCL puts its work into the stream from a thread of its own; what follows in the stream has to wait
        // for that. It takes less time than a longer pause would.
        const auto deadline = steady_clock::now() + std::chrono::seconds(timeoutSeconds_);
        const ncclResult_t state = communicator_.settle(deadline, std::chrono::microseconds(20));
        if (state == ncclInProgress) {
            throw Failure(ExitCode::Communication, "NCCL could not start an all-reduce" +
                                                       within(timeoutSeconds_) +
                                                       ": another process is stuck or cannot be reached");
        }
        if (state != ncclSuccess) {
            fail(state);
        }
    }

    std::optional<std::string> error() override {
        const std::optional<ncclResult_t> state = communicator_.state();
        if (!state || accepted(*state)) {
            return std::nullopt;
        }
        return "NCCL lost another process or failed: " + reasonOf(*state);
    }

    void abort() override { communicator_.abort(); }

private:
    static ncclResult_t begin(ncclComm_t comm, cudaStream_t stream, std::span<const Piece> pieces) {
        ncclResult_t result = ncclGroupStart();
        if (result != ncclSuccess) {
            return result;
        }
        for (const Piece& piece : pieces) {
            result =
                ncclAllReduce(piece.data, piece.data, piece.count, typeOf(piece.type), ncclAvg, comm, stream);
            if (!accepted(result)) {
                break;
            }
        }
        // A group that was begun is ended in any case: it belongs to the thread.
        const ncclResult_t ended = ncclGroupEnd();
        return accepted(result) ? ended : result;
    }

    [[noreturn]] void fail(ncclResult_t result) const {
        if (communicator_.aborted()) {
            throw Failure(ExitCode::Communication, "the communication with the other processes was ended");
        }
        throw Failure(ExitCode::Communication, "NCCL cannot start an all-reduce: " + reasonOf(result));
    }

    Communicator communicator_;
    int timeoutSeconds_;
};

// Rank 0 makes the id, which says where it listens, and the others get it from the store, with the version.
ncclUniqueId shareId(const World& world, TcpStoreClient& store, int timeoutSeconds, Deadline deadline) {
    ncclUniqueId id{};
    const std::string head = versionText() + "\n";
    if (world.rank == 0) {
        const ncclResult_t result = ncclGetUniqueId(&id);
        if (result != ncclSuccess) {
            throw Failure(ExitCode::Rendezvous,
                          "NCCL cannot open a port for the other processes: " + reasonOf(result));
        }
        store.set(idKey, head + std::string(std::begin(id.internal), std::end(id.internal)), deadline);
        return id;
    }
    std::string value;
    try {
        value = store.get(idKey, deadline);
    } catch (const Failure& failure) {
        throw Failure(ExitCode::Rendezvous,
                      "rank 0's NCCL id did not come" + within(timeoutSeconds) + ": " + failure.what());
    }
    if (value.rfind(head, 0) != 0 || value.size() != head.size() + sizeof id.internal) {
        throw Failure(ExitCode::Rendezvous, "rank 0 has " + value.substr(0, value.find('\n')) +
                                                " but this process " + versionText() +
                                                "; install one version on all nodes");
    }
    std::copy_n(value.begin() + static_cast<std::ptrdiff_t>(head.size()), sizeof id.internal, id.internal);
    return id;
}

// The first rank that has not come as far as connecting; nothing where all have. The store cannot be asked
// anything after it.
std::optional<int> firstMissing(const World& world, TcpStoreClient& store) {
    const Deadline deadline = steady_clock::now() + std::chrono::seconds(1);
    for (int rank = 0; rank < world.size; ++rank) {
        try {
            store.get(rankKey(rank), deadline);
        } catch (const Failure&) {
            return rank;
        }
    }
    return std::nullopt;
}

[[noreturn]] void tooLate(const World& world, TcpStoreClient& store, int timeoutSeconds) {
    const std::optional<int> missing = firstMissing(world, store);
    throw Failure(ExitCode::Rendezvous,
                  "NCCL did not connect the GPUs of " + std::to_string(world.size) + " processes" +
                      within(timeoutSeconds) +
                      (missing ? ": rank " + std::to_string(*missing) + " has not come so far"
                               : ", though all have come: look for a firewall between the nodes, or name the "
                                 "network interface in NCCL_SOCKET_IFNAME"));
}

void waitUntilConnected(Communicator& communicator, const World& world, TcpStoreClient& store,
                        int timeoutSeconds, Deadline deadline, const PeerLoss& lost) {
    std::optional<std::string> loss;
    const auto peerIsLost = [&] {
        if (lost) {
            loss = lost();
        }
        return loss.has_value();
    };
    ncclResult_t state = communicator.begun();
    if (accepted(state)) {
        state = communicator.settle(deadline, std::chrono::milliseconds(1), peerIsLost);
    }
    if (loss) {
        throw Failure(ExitCode::Rendezvous, "while NCCL connected the GPUs: " + *loss);
    }
    if (state == ncclInProgress) {
        tooLate(world, store, timeoutSeconds);
    }
    if (state != ncclSuccess) {
        throw Failure(ExitCode::Rendezvous, "NCCL cannot connect the GPUs of " + std::to_string(world.size) +
                                                " processes: " + reasonOf(state));
    }
}

}  // namespace

std::unique_ptr<DeviceComm> connectNccl(const World& world, TcpStoreClient& store, int timeoutSeconds,
                                        const PeerLoss& lost) {
    const Deadline deadline = steady_clock::now() + std::chrono::seconds(timeoutSeconds);
    const ncclUniqueId id = shareId(world, store, timeoutSeconds, deadline);
    // CUDA says better than NCCL what is wrong with a GPU.
    check(cudaFree(nullptr), "use this process's GPU");
    store.set(rankKey(world.rank), "", deadline);
    auto comm = std::make_unique<NcclComm>(world, id, timeoutSeconds);
    waitUntilConnected(comm->communicator(), world, store, timeoutSeconds, deadline, lost);
    return comm;
}

}  // namespace dlperf::worker::cuda
