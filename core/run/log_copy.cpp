// SPDX-License-Identifier: Apache-2.0
#include "core/run/log_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <future>
#include <utility>

namespace dlperf::run {
namespace {

// At once. A copy that is far behind asks for more, and for the next before the last is here, so that the way
// there and back does not count. What is on its way is as much as two SSH channels let through at once (2
// MiB each); more would only lie in memory and leave the processor's cache before it is written.
constexpr std::size_t chunkBytes = 256U << 10U;
constexpr std::size_t mostComing = 4;

struct Coming {
    std::size_t room;
    std::future<Result<remote::FileChunk>> chunk;
};

Failure cannotWriteCopy(const std::filesystem::path& path, int number) {
    return fail(fmt::format("the log's copy cannot be written: {}", std::strerror(number)), path.string(),
                "Check its permissions, make room on the workspace's disk, then `dlperf resume`.",
                ErrorKind::Work);
}

}  // namespace

Result<LogCopy> LogCopy::open(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (!file.open()) {
        return cannotWriteCopy(path, errno);
    }
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    if (size < 0) {
        return cannotWriteCopy(path, errno);
    }
    return LogCopy(std::move(file), static_cast<std::uint64_t>(size), path);
}

Result<void> LogCopy::append(std::string_view bytes) {
    const int error = writeAll(file_.get(), bytes);
    const off_t size = ::lseek(file_.get(), 0, SEEK_CUR);  // also of a part
    size_ = size < 0 ? size_ : static_cast<std::uint64_t>(size);
    return error == 0 ? Result<void>() : cannotWriteCopy(path_, error);
}

Result<void> LogCopy::sync() {
    return ::fdatasync(file_.get()) == 0 ? Result<void>() : cannotWriteCopy(path_, errno);
}

Result<bool> LogCopy::catchUp(remote::Transport& transport, const std::string& remotePath, std::uint64_t most,
                              const std::stop_token& stop) {
    const std::uint64_t end = size_ + most;
    std::uint64_t asked = size_;
    std::size_t step = chunkBytes;
    std::deque<Coming> coming;  // in the order of the file
    const auto ask = [&](std::launch how) {
        const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(step, end - asked));
        coming.push_back(
            {room, std::async(how, [&, room, offset = asked] {
                 return transport.read(remotePath, offset, room, {remote::Limits{}.deadline, stop});
             })});
        asked += room;
    };
    ask(std::launch::deferred);  // here and now: most of the time there is little
    while (!coming.empty()) {
        const auto chunk = coming.front().chunk.get();
        const bool full = chunk && chunk->bytes.size() == coming.front().room && !stop.stop_requested();
        coming.pop_front();
        if (!chunk) {
            return Failure(chunk.error());
        }
        while (full && asked < end && coming.size() < mostComing) {
            step = std::min(2 * step, remote::bulkBytes);
            ask(std::launch::async);
        }
        if (auto done = append(chunk->bytes); !done) {
            return Failure(done.error());
        }
        if (!full) {  // what was asked for behind it is not used: there would be a gap
            return false;
        }
    }
    return true;
}

}  // namespace dlperf::run
