// SPDX-License-Identifier: Apache-2.0
#include "core/run/lock.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

std::string hostName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

Json toJson(const LockOwner& owner) {
    Json json = run::toJson(owner.process);
    json["host"] = owner.host;
    json["campaign"] = owner.campaign;
    return json;
}

std::optional<LockOwner> read(const std::filesystem::path& file) {
    const auto json = readJsonFile(file);
    if (!json) {
        return std::nullopt;
    }
    const auto process = identityFromJson(*json);
    JsonReader reader(*json, file.string());
    LockOwner owner{reader.text("host"), process.value_or(Identity{}), reader.text("campaign")};
    return process && reader.error() == nullptr ? std::optional(owner) : std::nullopt;
}

}  // namespace

std::optional<LockOwner> readLock(const store::Workspace& workspace) {
    return read(workspace.lockFile());
}

bool isHeld(const LockOwner& owner) {
    return isElsewhere(owner) || isAliveHere(owner.process);
}

std::optional<LockOwner> holderOf(const store::Workspace& workspace) {
    auto owner = readLock(workspace);
    return owner && isHeld(*owner) ? std::move(owner) : std::nullopt;
}

bool isElsewhere(const LockOwner& owner) {
    return owner.host != hostName();
}

std::string nameOf(const LockOwner& owner) {
    return fmt::format("process {} on {}{}", owner.process.pid, cleanUtf8(owner.host),
                       owner.campaign.empty() ? "" : ", campaign " + cleanUtf8(owner.campaign));
}

std::string remedyElsewhere(const store::Workspace& workspace) {
    return fmt::format("If it no longer runs there, remove {}.", workspace.lockFile().string());
}

Result<WorkspaceLock> WorkspaceLock::take(const store::Workspace& workspace) {
    const auto process = ownIdentity();
    if (!process) {
        return fail("/proc cannot be read", "lock", "Mount /proc.", ErrorKind::Work);
    }
    // Two who find the lock stale do not both win.
    const FileLock guard = TRY(guardOf(workspace.lockFile()));
    if (const auto owner = holderOf(workspace)) {
        return fail("another runner works in this workspace: " + nameOf(*owner), workspace.root().string(),
                    isElsewhere(*owner) ? remedyElsewhere(workspace)
                                        : "Wait for it, or ask it to stop with `dlperf cancel`.",
                    ErrorKind::Work);
    }
    LockOwner self{hostName(), *process, {}};
    TRY(writeFileAtomically(workspace.lockFile(), toJson(self).dump() + "\n"));
    return WorkspaceLock(workspace.lockFile(), std::move(self));
}

WorkspaceLock::WorkspaceLock(WorkspaceLock&& other) noexcept
    : file_(std::exchange(other.file_, {})), self_(std::move(other.self_)) {}

WorkspaceLock::~WorkspaceLock() {
    if (file_.empty()) {
        return;
    }
    const FileLock guard(file_.string() + ".guard");
    const auto owner = read(file_);
    if (owner && owner->process == self_.process) {
        std::error_code error;
        std::filesystem::remove(file_, error);
    }
}

Result<void> WorkspaceLock::workOn(const std::string& campaign) {
    const FileLock guard = TRY(guardOf(file_));  // who deletes campaigns holds it
    self_.campaign = campaign;
    return writeFileAtomically(file_, toJson(self_).dump() + "\n");
}

}  // namespace dlperf::run
