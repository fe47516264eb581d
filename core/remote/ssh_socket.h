// SPDX-License-Identifier: Apache-2.0
// What an SSH session talks over: a TCP connection, or the two ends of a proxy's process.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "core/base/descriptor.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {

// Waits until these events of poll(2) are there. False at that time, or when the token asks to stop.
[[nodiscard]] bool waitForEvents(int descriptor, short events, std::chrono::steady_clock::time_point until,
                                 const std::stop_token& stop);

class SshSocket {
public:
    // Non-blocking and connected. Transient where nobody answers; Work where the name is unknown to this
    // machine.
    [[nodiscard]] static Result<SshSocket> connect(const SshSettings& settings, const Limits& limits,
                                                   const std::string& where);
    ~SshSocket();
    SshSocket(SshSocket&& other) noexcept;
    SshSocket& operator=(SshSocket&&) = delete;
    SshSocket(const SshSocket&) = delete;
    SshSocket& operator=(const SshSocket&) = delete;

    [[nodiscard]] int get() const { return socket_.get(); }

private:
    SshSocket(Descriptor socket, pid_t proxy) : socket_(std::move(socket)), proxy_(proxy) {}

    Descriptor socket_;
    pid_t proxy_ = 0;  // group of the proxy's process; 0: none
};

}  // namespace dlperf::remote
