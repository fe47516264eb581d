// SPDX-License-Identifier: Apache-2.0
// This machine as a node, and shell commands as children of this process: three pipes, a process group of
// their own, no wait without an end.
#pragma once

#include <sys/types.h>

#include <array>

#include "core/remote/transport.h"

namespace dlperf::remote {

// Runs /bin/sh -c script in the home folder, with this process's environment but for what a surrounding run
// or launcher has put there (DLPERF_*, RANK, MASTER_ADDR, OMPI_*, SLURM_PROCID, …).
[[nodiscard]] Result<CommandResult> runChild(const Command& command, const Limits& limits,
                                             const std::string& where);

// Starts it in this process's folder with these three streams, in a process group of its own; with default
// signals and an empty mask, whatever this process blocks or ignores.
[[nodiscard]] Result<pid_t> startShell(std::string script, const std::array<int, 3>& streams,
                                       const std::string& where);

// Hears what a child says while it says it.
struct ChildListener {
    std::function<void(std::string_view)> output;
    std::function<void(std::string_view)> errors;
    std::function<bool()> enough;  // true: the child is killed and not waited for
};

// The same, but what the child says goes to the listener. The exit code; -1 for one that was enough.
[[nodiscard]] Result<int> runChild(const Command& command, const Limits& limits, const std::string& where,
                                   const ChildListener& listener);

class LocalTransport : public Transport {
public:
    explicit LocalTransport(std::string name) : name_(std::move(name)) {}

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;
    const std::string& name() const override { return name_; }

private:
    std::string name_;
};

}  // namespace dlperf::remote
