// SPDX-License-Identifier: Apache-2.0
#include "core/run/log_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace dlperf::run {
namespace {

constexpr std::size_t chunkBytes = 1U << 20U;

Failure cannotWrite(const std::filesystem::path& path, int number) {
    return fail(fmt::format("the log's copy cannot be written: {}", std::strerror(number)), path.string(),
                "Make room on the workspace's disk.", ErrorKind::Work);
}

}  // namespace

Result<LogCopy> LogCopy::open(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        return cannotWrite(path, errno);
    }
    const off_t size = ::lseek(fd, 0, SEEK_END);
    LogCopy copy(fd, static_cast<std::uint64_t>(size < 0 ? 0 : size), path);
    return size < 0 ? Result<LogCopy>(cannotWrite(path, errno)) : std::move(copy);
}

LogCopy::~LogCopy() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

LogCopy::LogCopy(LogCopy&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

Result<void> LogCopy::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
        if (written < 0 && errno != EINTR) {
            return cannotWrite(path_, errno);
        }
        if (written > 0) {
            size_ += static_cast<std::uint64_t>(written);
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    return {};
}

Result<void> LogCopy::catchUp(remote::Transport& transport, const std::string& remotePath,
                              const std::stop_token& stop) {
    for (;;) {
        const auto chunk = transport.read(remotePath, size_, chunkBytes, {remote::Limits{}.deadline, stop});
        if (!chunk) {
            return Failure(chunk.error());
        }
        if (auto done = append(chunk->bytes);
            !done || chunk->bytes.size() < chunkBytes || stop.stop_requested()) {
            return done;
        }
    }
}

}  // namespace dlperf::run
