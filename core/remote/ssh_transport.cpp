// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_transport.h"

#include "core/remote/shell_files.h"

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

Result<void> SshTransport::upload(std::string_view bytes, const std::string& path, unsigned mode,
                                  const Limits& limits) {
    return uploadByShell(*this, bytes, path, mode, limits, "Check the permissions there and the free space.");
}

Result<FileChunk> SshTransport::read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                     const Limits& limits) {
    const auto byShell = [&] {
        return readByShell(*this, path, offset, maxBytes, limits, "Check the permissions there.");
    };
    if (usesProgram_) {
        return byShell();
    }
    auto chunk = connection_.read(path, offset, maxBytes, limits, byShell);
    return chunk || !connection_.isBeyondLibrary() ? std::move(chunk) : byShell();
}

}  // namespace dlperf::remote
