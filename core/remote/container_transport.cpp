// SPDX-License-Identifier: Apache-2.0
#include "core/remote/container_transport.h"

#include "core/base/text.h"
#include "core/remote/shell_files.h"

namespace dlperf::remote {
ContainerTransport::ContainerTransport(std::shared_ptr<Transport> host,
                                       const std::vector<std::string>& prefix)
    : host_(std::move(host)) {
    for (const std::string& word : prefix) {
        prefix_ += shellQuote(word) + " ";
    }
}

Result<CommandResult> ContainerTransport::run(const Command& command, const Limits& limits) {
    Command inside = command;
    inside.script =
        "exec " + prefix_ + "/bin/sh -c " + shellQuote("cd 2>/dev/null || cd /\n" + command.script);
    return host_->run(inside, limits);
}

Result<void> ContainerTransport::upload(std::string_view bytes, const std::string& path, unsigned mode,
                                        const Limits& limits) {
    return uploadByShell(*this, bytes, path, mode, limits,
                         "Check that the container runs, its permissions and the free space.");
}

Result<FileChunk> ContainerTransport::read(const std::string& path, std::uint64_t offset,
                                           std::size_t maxBytes, const Limits& limits) {
    return readByShell(*this, path, offset, maxBytes, limits, "Check that the container runs.");
}

}  // namespace dlperf::remote
