// SPDX-License-Identifier: Apache-2.0
#include "core/remote/container_transport.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace dlperf::remote {
namespace {

// Says that a file is missing, apart from every exit code of the tools and of the container program.
constexpr int missingFile = 44;

}  // namespace

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
    const std::string script =
        fmt::format("t={0}.$$ && (umask 077; cat >\"$t\") && chmod {1:o} \"$t\" && mv -f \"$t\" {0}",
                    shellQuote(path), mode);
    const auto result = run(Command{script, std::string(bytes)}, limits);
    if (!result) {
        return Failure(result.error());
    }
    if (result->exitCode != 0) {
        return fail("cannot be written: " + firstLine(result->errors), name() + ":" + path,
                    "Check that the container runs, its permissions and the free space.", ErrorKind::Work);
    }
    return {};
}

Result<FileChunk> ContainerTransport::read(const std::string& path, std::uint64_t offset,
                                           std::size_t maxBytes, const Limits& limits) {
    const std::string script = fmt::format("test -e {0} || exit {1}; tail -c +{2} {0} | head -c {3}",
                                           shellQuote(path), missingFile, offset + 1, maxBytes);
    auto result = run(Command{script, {}, maxBytes}, limits);
    if (!result) {
        return Failure(result.error());
    }
    if (result->exitCode == missingFile) {
        return FileChunk{{}, true};
    }
    if (result->exitCode != 0) {
        return fail("cannot be read: " + firstLine(result->errors), name() + ":" + path,
                    "Check that the container runs.", ErrorKind::Passing);
    }
    return FileChunk{std::move(result->output), false};
}

}  // namespace dlperf::remote
