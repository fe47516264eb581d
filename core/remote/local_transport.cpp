// SPDX-License-Identifier: Apache-2.0
#include "core/remote/local_transport.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/file.h"
#include "core/remote/child_process.h"

namespace dlperf::remote {
namespace {

Failure cannotRead(const std::string& node, const std::string& path, int number) {
    return fail(fmt::format("cannot be read: {}", std::strerror(number)), node + ":" + path, {},
                ErrorKind::Work);
}

}  // namespace

Result<CommandResult> LocalTransport::run(const Command& command, const Limits& limits) {
    return runChild(command, limits, "node " + name_);
}

Result<void> LocalTransport::upload(std::string_view bytes, const std::string& path, unsigned mode,
                                    const Limits& /*limits*/) {
    return writeFileAtomically(path, bytes, mode);
}

Result<FileChunk> LocalTransport::read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                       const Limits& /*limits*/) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return errno == ENOENT || errno == ENOTDIR ? Result<FileChunk>(FileChunk{{}, true})
                                                   : cannotRead(name_, path, errno);
    }
    FileChunk chunk;
    chunk.bytes.resize(maxBytes);
    const ssize_t got = ::pread(fd, chunk.bytes.data(), maxBytes, static_cast<off_t>(offset));
    const int error = errno;
    ::close(fd);
    if (got < 0 && error == ESRCH) {  // a process folder of /proc whose process went away
        return FileChunk{{}, true};
    }
    if (got < 0) {
        return cannotRead(name_, path, error);
    }
    chunk.bytes.resize(static_cast<std::size_t>(got));
    return chunk;
}

}  // namespace dlperf::remote
