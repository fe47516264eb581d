// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dlperf::worker {

// Owns a file descriptor.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor();

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release();

private:
    int fd_ = -1;
};

using Deadline = std::chrono::steady_clock::time_point;
// As poll() wants it: none is negative, and one just ahead is not taken for one that has passed.
int millisecondsUntil(Deadline deadline);

// A TCP socket that listens at `address`, or at any address where that one is not this machine's own (behind
// address translation) or a name that leads here to the loopback. Port 0 takes a free one. Throws
// Failure(Rendezvous).
FileDescriptor listenAt(const std::string& address, std::uint16_t port);
std::uint16_t portOf(const FileDescriptor& listener);

// Retries until the deadline, as the other side may not be up yet. Throws Failure(Rendezvous).
FileDescriptor connectTo(const std::string& address, std::uint16_t port, Deadline deadline);

// Waits until the deadline for input or the connection's end.
bool readable(const FileDescriptor& socket, Deadline deadline);

// Both throw Failure(Rendezvous) where the deadline passes or the connection ends.
void sendAll(const FileDescriptor& socket, std::span<const char> bytes, Deadline deadline);
void receiveAll(const FileDescriptor& socket, std::span<char> bytes, Deadline deadline);

// The numeric address of this machine that packets to `address` leave from.
std::string localAddressTowards(const std::string& address, std::uint16_t port);

}  // namespace dlperf::worker
