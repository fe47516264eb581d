// SPDX-License-Identifier: Apache-2.0
// One command on a channel of a session, in steps that never wait.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "core/remote/command_frame.h"
#include "core/remote/ssh_session.h"

namespace dlperf::remote {

class SshCommand {
public:
    enum class Step {
        Idle,   // nothing can be done before the socket is ready
        Moved,  // something was done: there may be more
        Gone,   // the result is there and the channel is closed
    };

    explicit SshCommand(Command command);

    // Bytes of the command as it is sent; libssh2 has room for so many.
    [[nodiscard]] std::size_t length() const { return line_.size(); }
    static constexpr std::size_t longest = 32'000;

    // Only one channel of a session may be being opened at a time.
    [[nodiscard]] bool wantsChannel() const { return phase_ == Phase::Open; }
    [[nodiscard]] bool isOpening() const { return phase_ == Phase::Open && asked_; }
    Step step(SshSession& session);
    // Leader of the process group on the host, once known.
    [[nodiscard]] std::optional<pid_t> process() const { return frame_.process(); }

    // The result is there; the channel may still be closing.
    [[nodiscard]] bool ended() const { return phase_ == Phase::Close || phase_ == Phase::Gone; }
    // Once it has ended: what the command said, or why it did not.
    [[nodiscard]] Result<CommandResult> result(const std::string& where);
    // No other command of this session will do better.
    [[nodiscard]] bool lostSession() const { return lostSession_; }
    // The host gave it no channel.
    [[nodiscard]] bool wasRefused() const { return refused_; }
    // The session ends, and its channels with it.
    void forgetChannel() { (void)channel_.release(); }

private:
    enum class Phase { Open, Execute, Exchange, Close, Gone };
    // Only for one that nobody closed: a session's end frees its channels.
    struct ChannelFree {
        void operator()(LIBSSH2_CHANNEL* channel) const { libssh2_channel_free(channel); }
    };

    Step open(SshSession& session);
    Step execute(SshSession& session);
    Step exchange(SshSession& session);
    Step close();
    Step send(SshSession& session);
    Step receive(SshSession& session, int stream);
    Step fail(const SshSession& session, const std::string& doing);
    Step endEarly();

    Command command_;
    CommandFrame frame_;
    std::string line_;  // for sshd; the same bytes at each try, as libssh2 wants them
    Phase phase_ = Phase::Open;
    bool asked_ = false;  // for the channel
    std::unique_ptr<LIBSSH2_CHANNEL, ChannelFree> channel_;
    std::size_t sent_ = 0;
    bool inputEnded_ = false;
    Error error_;
    bool lostSession_ = false;
    bool refused_ = false;
};

}  // namespace dlperf::remote
