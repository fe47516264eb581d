// SPDX-License-Identifier: Apache-2.0
// The local copy of a log that grows on a node: always exactly its first bytes, so that a broken connection
// or a new runner goes on at the copy's size.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.h"
#include "core/remote/transport.h"

namespace dlperf::run {

class LogCopy {
public:
    [[nodiscard]] static Result<LogCopy> open(const std::filesystem::path& path);
    ~LogCopy();
    LogCopy(LogCopy&& other) noexcept;
    LogCopy& operator=(LogCopy&&) = delete;

    std::uint64_t size() const { return size_; }
    // Copies what the node has now. A Work error when the local disk is full; Passing when the node is not
    // reached.
    [[nodiscard]] Result<void> catchUp(remote::Transport& transport, const std::string& remotePath,
                                       const std::stop_token& stop);

private:
    LogCopy(int fd, std::uint64_t size, std::filesystem::path path)
        : fd_(fd), size_(size), path_(std::move(path)) {}
    [[nodiscard]] Result<void> append(std::string_view bytes);

    int fd_ = -1;
    std::uint64_t size_ = 0;
    std::filesystem::path path_;
};

}  // namespace dlperf::run
