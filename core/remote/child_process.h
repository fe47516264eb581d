// SPDX-License-Identifier: Apache-2.0
// A shell command as a child of this process: three pipes, a process group of its own, no wait without an
// end.
#pragma once

#include "core/remote/transport.h"

namespace dlperf::remote {

// Runs /bin/sh -c script in the home folder, with this process's environment but for what a surrounding run
// or launcher has put there (DLPERF_*, RANK, MASTER_ADDR, OMPI_*, SLURM_PROCID, …).
[[nodiscard]] Result<CommandResult> runChild(const Command& command, const Limits& limits,
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

}  // namespace dlperf::remote
