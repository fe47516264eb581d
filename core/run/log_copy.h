// SPDX-License-Identifier: Apache-2.0
// The local copy of a log that grows on a node: always exactly its first bytes, so that a broken connection
// or a new runner goes on at the copy's size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/remote/transport.h"

namespace dlperf::run {

class LogCopy {
public:
    [[nodiscard]] static Result<LogCopy> open(const std::filesystem::path& path);

    std::uint64_t size() const { return size_; }
    // Copies what the node has now, at most so many bytes: a trainer may write faster than we copy. True when
    // there may be more. A Work error when the local disk is full; Transient when the node is not reached.
    [[nodiscard]] Result<bool> catchUp(remote::Transport& transport, const std::string& remotePath,
                                       std::uint64_t most, const std::stop_token& stop);
    // What is copied survives the loss of power.
    [[nodiscard]] Result<void> sync();

private:
    LogCopy(Descriptor file, std::uint64_t size, std::filesystem::path path)
        : file_(std::move(file)), size_(size), path_(std::move(path)) {}
    [[nodiscard]] Result<void> append(std::string_view bytes);

    Descriptor file_;
    std::uint64_t size_ = 0;
    std::filesystem::path path_;
};

}  // namespace dlperf::run
