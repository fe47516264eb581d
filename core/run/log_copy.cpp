// SPDX-License-Identifier: Apache-2.0
#include "core/run/log_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <utility>

namespace dlperf::run {
namespace {

// At once; more where the copy is far behind, so that the way there and back counts less. One chunk comes
// while the one before is written.
constexpr std::size_t chunkBytes = 1U << 20U;
constexpr std::size_t largestChunk = 4U << 20U;

Failure cannotWrite(const std::filesystem::path& path, int number) {
    return fail(fmt::format("the log's copy cannot be written: {}", std::strerror(number)), path.string(),
                "Check its permissions, make room on the workspace's disk, then `dlperf resume`.",
                ErrorKind::Work);
}

}  // namespace

Result<LogCopy> LogCopy::open(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (!file.open()) {
        return cannotWrite(path, errno);
    }
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    if (size < 0) {
        return cannotWrite(path, errno);
    }
    return LogCopy(std::move(file), static_cast<std::uint64_t>(size), path);
}

Result<void> LogCopy::append(std::string_view bytes) {
    const int error = writeAll(file_.get(), bytes);
    const off_t size = ::lseek(file_.get(), 0, SEEK_CUR);  // also of a part
    size_ = size < 0 ? size_ : static_cast<std::uint64_t>(size);
    return error == 0 ? Result<void>() : cannotWrite(path_, error);
}

Result<void> LogCopy::sync() {
    return ::fdatasync(file_.get()) == 0 ? Result<void>() : cannotWrite(path_, errno);
}

Result<bool> LogCopy::catchUp(remote::Transport& transport, const std::string& remotePath, std::uint64_t most,
                              const std::stop_token& stop) {
    const std::uint64_t end = size_ + most;
    std::size_t step = chunkBytes;
    const auto fetch = [&](std::uint64_t offset) {
        const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(step, end - offset));
        return transport.read(remotePath, offset, room, {remote::Limits{}.deadline, stop});
    };
    for (auto chunk = fetch(size_);;) {
        if (!chunk) {
            return Failure(chunk.error());
        }
        const std::uint64_t next = size_ + chunk->bytes.size();
        const bool full = chunk->bytes.size() == std::min<std::uint64_t>(step, end - size_);
        std::future<Result<remote::FileChunk>> coming;
        if (full && next < end && !stop.stop_requested()) {
            step = std::min(2 * step, largestChunk);
            coming = std::async(std::launch::async, fetch, next);
        }
        if (auto done = append(chunk->bytes); !done) {
            return Failure(done.error());
        }
        if (!coming.valid()) {
            return full && !stop.stop_requested();
        }
        chunk = coming.get();
    }
}

}  // namespace dlperf::run
