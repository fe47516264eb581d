// SPDX-License-Identifier: Apache-2.0
// A file descriptor that is closed at the end of its scope, and writing to one until all is written.
#pragma once

#include <string_view>
#include <utility>

namespace dlperf {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        close();
        fd_ = std::exchange(other.fd_, -1);
        return *this;
    }

    int get() const { return fd_; }
    bool open() const { return fd_ >= 0; }
    // Hands it to who checks the result of close(2).
    int release() { return std::exchange(fd_, -1); }
    void close();

private:
    int fd_ = -1;
};

// 0, or the error number of the write that failed.
[[nodiscard]] int writeAll(int fd, std::string_view bytes);

}  // namespace dlperf
