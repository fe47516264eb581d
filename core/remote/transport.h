// SPDX-License-Identifier: Apache-2.0
// What the runner can do on a node, whether it is this machine or is reached over a network: run a small
// shell command, put and get a file, read a file from a byte offset. Nothing else; so nothing in the runner
// knows which kind of node it has.
//
// Rules that every implementation keeps:
//  * every call ends: at its deadline, when the stop token asks, or with a result;
//  * output is bounded in memory, whatever the node sends;
//  * an error of kind Transient means that the node could not be reached and the call may be repeated; all
//    others are final;
//  * calls may come from several threads at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/cluster/cluster.h"

namespace dlperf::remote {

using Milliseconds = std::chrono::milliseconds;

inline constexpr std::size_t bulkBytes = 1U << 20U;  // see Transport::read

struct Limits {
    Milliseconds deadline{30'000};  // for the whole call
    std::stop_token stop;           // asks the call to end early
};

// Why a call to a node came to its deadline, or was stopped before.
[[nodiscard]] Failure endedEarly(const Limits& limits, const std::string& where);

struct Command {
    std::string script;  // POSIX sh text
    std::string input;   // standard input, then end of file
    // Bytes kept of standard output and of standard error, each; the rest is read and dropped.
    std::size_t maxOutput = 1U << 20U;
    // It begins work that is meant for this machine alone: no other one runs it in its place.
    bool begins = false;
};

struct CommandResult {
    int exitCode = 0;  // 128 + number when a signal ended it, as in a shell
    std::string output;
    std::string errors;
    bool cut = false;  // more came than was kept
};

struct FileChunk {
    std::string bytes;     // empty at the end of the file
    bool missing = false;  // there is no such file (yet)
};

// Why whoever lends a node, a scheduler, has taken it back.
struct Withdrawal {
    enum class Cause { TimeLimit, Cancelled, Lost, Preempted, NodeFailed, OutOfMemory };
    Cause cause = Cause::Lost;
    std::string reason;  // one sentence without its full stop

    // The cluster needed the node for another job, or the node failed: whatever ran there has no part in it.
    [[nodiscard]] bool isByCluster() const { return cause == Cause::Preempted || cause == Cause::NodeFailed; }
    // Nobody wanted it to end, neither who asked for the node nor who set its time.
    [[nodiscard]] bool isLoss() const { return cause == Cause::Lost || isByCluster(); }
};

class Transport {
public:
    virtual ~Transport() = default;

    // Runs the script in the user's home folder. What it leaves in the background goes on; the call does not
    // wait for it. At the deadline or on stop the command's process group on the machine is killed; whether
    // that ends what runs in a container is up to the container's program.
    [[nodiscard]] virtual Result<CommandResult> run(const Command& command, const Limits& limits) = 0;

    // Writes the file whole, by rename, with these permissions. The path is absolute; its folder exists.
    [[nodiscard]] virtual Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                                              const Limits& limits) = 0;

    // At most maxBytes from the offset on. A missing file is no error: logs appear late. Who asks for
    // bulkBytes or more is far behind, and a transport may open more than one way for him.
    [[nodiscard]] virtual Result<FileChunk> read(const std::string& path, std::uint64_t offset,
                                                 std::size_t maxBytes, const Limits& limits) = 0;

    // The name of the node in messages.
    [[nodiscard]] virtual const std::string& name() const = 0;

    // As run(), but where the node is a container on the machine that holds it.
    [[nodiscard]] virtual Result<CommandResult> runOutside(const Command& command, const Limits& limits) {
        return run(command, limits);
    }

    // Asks whether the node was taken back; nothing where it is still there, or nobody lends it.
    [[nodiscard]] virtual std::optional<Withdrawal> withdrawn() { return std::nullopt; }

    // How the node is reached, for its details; all of it is known once a call was answered.
    [[nodiscard]] virtual cluster::Route route() const { return {}; }
};

// The same work for many nodes, 64 at once: work(index) for 0 to count-1, which must not throw.
inline void onAll(std::size_t count, const std::function<void(std::size_t)>& work) {
    constexpr std::size_t mostNodesAtOnce = 64;
    inParallel(count, mostNodesAtOnce, work);
}

using TransportFactory = std::function<Result<std::shared_ptr<Transport>>(const cluster::Node&)>;

// The transport for a node; nodes with a container are reached through its command prefix. Nobody is asked
// for passphrases or new host keys.
[[nodiscard]] Result<std::shared_ptr<Transport>> openTransport(const cluster::Node& node);

// For nodes that hold a seat in a Slurm job; `login` submitted it.
[[nodiscard]] TransportFactory jobTransports(std::shared_ptr<Transport> login);

// The same as openTransport, with a user to ask; what he answers holds for all nodes.
class CredentialCache;
[[nodiscard]] TransportFactory interactiveTransports(std::shared_ptr<CredentialCache> cache);

}  // namespace dlperf::remote
