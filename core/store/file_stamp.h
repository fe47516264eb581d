// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace dlperf::store {

// What tells one state of a file from another without reading it. Files are replaced by rename, so the inode
// changes even where a file system's clock is too coarse to see it.
struct FileStamp {
    std::int64_t modified = 0;  // nanoseconds since 1970
    std::int64_t size = 0;
    std::int64_t inode = 0;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Nothing for what is no regular file.
[[nodiscard]] std::optional<FileStamp> stampOf(const std::filesystem::path& path);

}  // namespace dlperf::store
