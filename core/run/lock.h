// SPDX-License-Identifier: Apache-2.0
// One runner per workspace: W/lock says which (host, boot, pid, start time, campaign). A lock whose owner
// died is taken over; one on another host cannot be checked and is respected.
#pragma once

#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/run/identity.h"
#include "core/store/workspace.h"

namespace dlperf::run {

struct LockOwner {
    std::string host;
    Identity process;
    std::string campaign;  // what it works on; empty while it starts
};

// Who holds the lock, alive or not; nothing when there is none or it cannot be understood.
[[nodiscard]] std::optional<LockOwner> readLock(const store::Workspace& workspace);
// True if a runner holds the workspace now.
[[nodiscard]] bool isHeld(const LockOwner& owner);
// Who holds it now; nothing where nobody does.
[[nodiscard]] std::optional<LockOwner> holderOf(const store::Workspace& workspace);
// True of a runner on another host, where it cannot be checked whether it lives: it counts as alive.
[[nodiscard]] bool isElsewhere(const LockOwner& owner);
// "process 17 on gpu-1, campaign …"
[[nodiscard]] std::string nameOf(const LockOwner& owner);
// What to do where the owner is on another host.
[[nodiscard]] std::string remedyElsewhere(const store::Workspace& workspace);

class WorkspaceLock {
public:
    // A Work error names the runner that has it.
    [[nodiscard]] static Result<WorkspaceLock> take(const store::Workspace& workspace);
    ~WorkspaceLock();
    WorkspaceLock(WorkspaceLock&& other) noexcept;
    WorkspaceLock& operator=(WorkspaceLock&&) = delete;

    [[nodiscard]] Result<void> workOn(const std::string& campaign);

private:
    WorkspaceLock(std::filesystem::path file, LockOwner self)
        : file_(std::move(file)), self_(std::move(self)) {}
    std::filesystem::path file_;  // empty once moved from
    LockOwner self_;
};

}  // namespace dlperf::run
