// SPDX-License-Identifier: Apache-2.0
#include "core/store/file_stamp.h"

#include <sys/stat.h>

namespace dlperf::store {

std::optional<FileStamp> stampOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return FileStamp{
        static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec,
        static_cast<std::int64_t>(status.st_size), static_cast<std::int64_t>(status.st_ino)};
}

}  // namespace dlperf::store
