// SPDX-License-Identifier: Apache-2.0
#include "cuda/nccl/nccl_comm.h"

#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/failure.h"
#include "base/numbers.h"
#include "comm/socket.h"
#include "cuda/runtime/check.h"
#if NCCL_VERSION_CODE < NCCL_VERSION(2, 14, 0)
#error "NCCL 2.14 or later is needed: older ones can only block"
#endif

namespace dlperf::worker::cuda {
namespace {

using std::chrono::steady_clock;

std::string lastError() {
    const char* const error = ncclGetLastError(nullptr);
    std::string text = error == nullptr ? "" : error;
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    return text;
}

// What NCCL said of a call that it refused or of an error in the background: the result's meaning and its own
// last error, in one line, and what to do about those that have one cause.
std::string reasonOf(ncclResult_t result) {
    std::string reason = ncclGetErrorString(result);
    const std::string detail = lastError();
    if (!detail.empty()) {
        reason += ": " + detail;
    }
    if (detail.find("Duplicate GPU") != std::string::npos) {
        reason += "; NCCL wants a GPU of its own for each process, so start no more of them than there are";
    }
    return reason;
}

// True where a call did what it should, or has begun to.
bool accepted(ncclResult_t result) {
    return result == ncclSuccess || result == ncclInProgress;
}

// Owns a communicator of NCCL that never blocks: what a call began is waited for by settle(). NCCL's calls on
// one communicator must not overlap, so each is made under a lock, which is never held while waiting.
class Communicator {
public:
    // Begins to connect the current GPU as `rank` of `size`; settle() waits for it.
    Communicator(int rank, int size, const ncclUniqueId& id);
    // Leaves in peace where all went well, so that peers do not see an error, and aborts where it did not.
    ~Communicator();

    // What NCCL answered to the beginning.
    ncclResult_t begun() const { return begun_; }

    // Calls NCCL; ncclInvalidUsage where the communicator was aborted.
    ncclResult_t call(const std::function<ncclResult_t(ncclComm_t)>& function);

    // Asks until nothing is under way; ncclInProgress where the deadline passes or `giveUp` says so first.
    ncclResult_t settle(Deadline deadline, std::chrono::microseconds pause,
                        const std::function<bool()>& giveUp = {});

    // Nothing while another thread is within a call: that one must not wait for NCCL.
    std::optional<ncclResult_t> state();

    bool aborted() const;
    void abort();

private:
    // The communicator, which is the caller's to end from then on; null where it was taken before.
    ncclComm_t take();
    bool leave();

    mutable std::mutex mutex_;
    ncclComm_t comm_ = nullptr;  // null once it was taken
    ncclResult_t begun_ = ncclSuccess;
};

constexpr std::chrono::seconds leaveTimeout{5};

Communicator::Communicator(int rank, int size, const ncclUniqueId& id) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    begun_ = ncclCommInitRankConfig(&comm_, size, id, rank, &config);
}

Communicator::~Communicator() {
    // While an exception ends the training here, peers may be inside of what this process will not join.
    if (std::uncaught_exceptions() == 0 && leave()) {
        return;
    }
    abort();
}

bool Communicator::leave() {
    if (state() != ncclSuccess || !accepted(call(ncclCommFinalize))) {
        return false;
    }
    if (settle(steady_clock::now() + leaveTimeout, std::chrono::milliseconds(1)) != ncclSuccess) {
        return false;
    }
    return accepted(ncclCommDestroy(take()));
}

ncclResult_t Communicator::call(const std::function<ncclResult_t(ncclComm_t)>& function) {
    const std::lock_guard lock(mutex_);
    return comm_ == nullptr ? ncclInvalidUsage : function(comm_);
}

ncclResult_t Communicator::settle(Deadline deadline, std::chrono::microseconds pause,
                                  const std::function<bool()>& giveUp) {
    while (true) {
        ncclResult_t state = ncclSuccess;
        const ncclResult_t asked = call([&](ncclComm_t comm) { return ncclCommGetAsyncError(comm, &state); });
        if (asked != ncclSuccess) {
            return asked;
        }
        if (state != ncclInProgress || steady_clock::now() >= deadline || (giveUp && giveUp())) {
            return state;
        }
        std::this_thread::sleep_for(pause);
    }
}

std::optional<ncclResult_t> Communicator::state() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || comm_ == nullptr) {
        return std::nullopt;
    }
    ncclResult_t state = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(comm_, &state);
    return asked == ncclSuccess ? state : asked;
}

bool Communicator::aborted() const {
    const std::lock_guard lock(mutex_);
    return comm_ == nullptr;
}

ncclComm_t Communicator::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(comm_, nullptr);
}

void Communicator::abort() {
    // Without the lock: NCCL tells the GPU to stop at once, but then waits for CUDA graphs to be destroyed,
    // which the thread that owns them does only after its own calls have failed.
    if (const ncclComm_t comm = take()) {
        ncclCommAbort(comm);
    }
}

constexpr const char* idKey = "nccl/id";

std::string rankKey(int rank) {
    return "nccl/rank/" + std::to_string(rank);
}

std::string versionText() {
    int version = 0;
    ncclGetVersion(&version);
    return "nccl " + dotted(asIndex(version));
}

std::string within(int timeoutSeconds) {
    return " within " + std::to_string(timeoutSeconds) + " s (--comm-timeout)";
}

ncclDataType_t typeOf(Precision type) {
    if (type == Precision::Fp16) {
        return ncclFloat16;
    }
    return type == Precision::Bf16 ? ncclBfloat16 : ncclFloat32;
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
