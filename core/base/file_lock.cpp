// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace dlperf {

FileLock::FileLock(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    int refused = -1;
    do {
        refused = file_.open() ? ::flock(file_.get(), LOCK_EX) : 0;
    } while (refused != 0 && errno == EINTR);
    held_ = file_.open() && refused == 0;
}

}  // namespace dlperf
