// SPDX-License-Identifier: Apache-2.0
#include "core/base/descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace dlperf {

void Descriptor::close() {
    if (fd_ >= 0) {
        ::close(std::exchange(fd_, -1));
    }
}

int writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    return 0;
}

}  // namespace dlperf
