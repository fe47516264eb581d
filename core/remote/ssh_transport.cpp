// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_transport.h"

#include <utility>

namespace dlperf::remote {

Result<CommandResult> SshTransport::run(const Command& command, const Limits& limits) {
    if (usesProgram_) {
        return program_.run(command, limits);
    }
    auto result = connection_.run(command, limits);
    if (result || !connection_.isBeyondLibrary()) {
        return result;
    }
    auto second = program_.run(command, limits);
    usesProgram_ = usesProgram_ || second;
    if (!second && second.error().kind == ErrorKind::Work) {
        // The first one names the keys that were tried.
        result.error().what += "; " + second.error().what;
        return result;
    }
    return second;
}

// A session is as fast as one processor decrypts, and libssh2 takes sixteen bytes at a time. So who is far
// behind is served by two, where a single key lets in: nobody is asked anything again.
SshConnection* SshTransport::helperInTurn() {
    if (!mayHaveHelper_ || !connection_.asksNobody() || turn_++ % 2 == 0) {
        return nullptr;
    }
    const std::scoped_lock lock(mutex_);
    if (!helper_) {
        helper_ = std::make_unique<SshConnection>(node_, cache_);
    }
    return helper_.get();
}

Result<FileChunk> SshTransport::read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                     const Limits& limits) {
    const auto byShell = [&] { return ShellTransport::read(path, offset, maxBytes, limits); };
    if (usesProgram_) {
        return byShell();
    }
    if (SshConnection* helper = maxBytes >= bulkBytes ? helperInTurn() : nullptr; helper != nullptr) {
        auto part = helper->files().read(path, offset, maxBytes, limits);
        mayHaveHelper_ = part && *part;
        if (part && (*part || part->error().kind == ErrorKind::Transient)) {
            return std::move(*part);
        }
    }
    auto chunk = connection_.files().read(path, offset, maxBytes, limits);
    return chunk && (*chunk || !connection_.isBeyondLibrary()) ? std::move(*chunk) : byShell();
}

}  // namespace dlperf::remote
